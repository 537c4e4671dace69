/* SPDX-License-Identifier: MIT
 *
 * driver.c - main() of a fuzz target for any compiler: feeds it the files of the command line, as libFuzzer does
 * with inputs that it found.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_MAX (16 * 1024 * 1024)

static int feed(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(INPUT_MAX);
    size_t size = f && data ? fread(data, 1, INPUT_MAX, f) : 0;
    int ok = f && data && !ferror(f);
    if (ok) {
        /* A block of exactly that size, so that a sanitizer sees a read past its end. */
        uint8_t *exact = malloc(size ? size : 1);
        ok = exact != NULL;
        for (size_t i = 0; ok && i < size; i++)
            exact[i] = data[i];
        if (ok)
            LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    if (!ok)
        perror(path);
    free(data);
    if (f)
        fclose(f);
    return ok;
}

int main(int argc, char **argv)
{
    int fed = 0;
    for (int i = 1; i < argc; i++)
        fed += feed(argv[i]);
    printf("%d inputs\n", fed);
    return fed == argc - 1 ? 0 : 1;
}

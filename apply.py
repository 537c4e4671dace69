import sys,subprocess
sys.path.insert(0,'/tmp/h')
from spec import SPEC
W='/work/wt/h/scenarios/seeds/'
for n,(anchor,t) in SPEC.items():
    if len(sys.argv)>1 and not any(n.startswith(a) for a in sys.argv[1:]): continue
    p=W+n+'.fence'
    s=subprocess.run(['git','-C','/work/wt/h','show','HEAD~0:scenarios/seeds/'+n+'.fence'],capture_output=True,text=True,check=True).stdout
    if '\nmay ' in s:
        s=subprocess.run(['git','-C','/work/wt/h','show',open('/tmp/h/base').read().strip()+':scenarios/seeds/'+n+'.fence'],capture_output=True,text=True,check=True).stdout
    assert s.count(anchor)==1 if anchor!='ask at 34s' else True,(n,s.count(anchor))
    if anchor=='ask at 34s': s=s.replace(anchor,t+'\n'+anchor,1)
    else: s=s.replace(anchor,anchor+t,1)
    open(p,'w').write(s)

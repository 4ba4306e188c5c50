"""temporary"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Law=Any
def success(law,b):
    power=getattr(law,"power",None)
    return power(b) if power else 1-np.asarray(law.trade_off(b))
def failure(law,b): return law.trade_off(b)
def membership(law,p): return max(p,1-p)+min(p,1-p)*float(law.delta_at(abs(math.log(p)-math.log1p(-p))))
def one_of(law,m):
    lo,hi=1/m,1.0
    for _ in range(200):
        s=(lo+hi)/2
        if float(success(law,(1-s)/(m-1)))>=s: lo=s
        else: hi=s
    return hi
def advantage(law): return float(law.delta_at(0.0))
def greatest_posterior(law,p):
    e=law.epsilon_at(0.0)
    return 1.0 if e==math.inf else p/(p+(1-p)*math.exp(-e))
def symmetric(law): return False
def repeated(law,k):
    from dpstudio.mechanisms.composition import WorstReleases
    return WorstReleases(law.epsilon,law.delta,k),"bound"
def grouped_exactly(law): return False
@dataclass(frozen=True)
class Grouped:
    law: Any
    size: int
    def trade_off(self,a): return 1-self.power(a)
    def power(self,a):
        for _ in range(self.size): a=np.minimum(np.asarray(success(self.law,a)),1.0)
        return a
    def epsilon_at(self,d): return self.size*self.law.epsilon_at(d)
    def delta_at(self,x):
        a=np.geomspace(1e-12,1,400)
        return max(0.0,float(np.max(self.power(a)-math.exp(x)*a)))

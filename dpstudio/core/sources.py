"""The literature, each work once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """One work: a short key for the screen, the full reference for help and reports."""

    key: str
    reference: str


STOCHASTIC = Source("Implementation of Stochastic Decision", "“Implementation of Stochastic Decision”, a note on "
                    "answering “are there at least m records?” under differential privacy.")
DMNS06 = Source("Dwork et al. 2006", "C. Dwork, F. McSherry, K. Nissim, A. Smith. Calibrating noise to sensitivity in "
                "private data analysis. TCC 2006.")
DR14 = Source("Dwork & Roth 2014", "C. Dwork, A. Roth. The algorithmic foundations of differential privacy. "
              "Foundations and Trends in Theoretical Computer Science 9(3–4), 2014.")
WZ10 = Source("Wasserman & Zhou 2010", "L. Wasserman, S. Zhou. A statistical framework for differential privacy. "
              "JASA 105(489), 2010.")
GRS12 = Source("Ghosh et al. 2012", "A. Ghosh, T. Roughgarden, M. Sundararajan. Universally utility-maximizing privacy "
               "mechanisms. SIAM Journal on Computing 41(6), 2012.")
BW18 = Source("Balle & Wang 2018", "B. Balle, Y.-X. Wang. Improving the Gaussian mechanism for differential privacy. "
              "ICML 2018, arXiv:1805.06530.")
DVGM22 = Source("Desfontaines et al. 2022", "D. Desfontaines, J. Voss, B. Gipson, C. Mandayam. Differentially private "
                "partition selection. PoPETs 2022(1), arXiv:2006.03684.")
DRS22 = Source("Dong et al. 2022", "J. Dong, A. Roth, W. J. Su. Gaussian differential privacy. JRSS B 84(1), 2022, "
               "arXiv:1905.02383.")
CP34 = Source("Clopper & Pearson 1934", "C. J. Clopper, E. S. Pearson. The use of confidence or fiducial limits "
              "illustrated in the case of the binomial. Biometrika 26(4), 1934.")
NOTES = Source("Differential Privacy, notes", "“Differential Privacy”, notes on noisy counts, posteriors and "
               "randomized response; they leave ε “to be continued”.")
LECTURE = Source("Introduction to privacy in AI/ML", "“introduction to privacy in ai/ml”, lecture notes that compare "
                 "the local and the central model.")
UTILITY = Source("Our Utility", "“Our Utility”, a note on choosing a treatment by expected utility, from noisy counts "
                 "and by randomized response.")
CHAPTER = Source("Theoretical background on Differential Privacy", "“Theoretical background on Differential Privacy”, "
                 "a thesis chapter with definitions, theorems and a survey by randomized response.")
KOV16 = Source("Kairouz et al. 2016", "P. Kairouz, S. Oh, P. Viswanath. Extremal mechanisms for local differential "
               "privacy. JMLR 17(17), 2016.")
H63 = Source("Hoeffding 1963", "W. Hoeffding. Probability inequalities for sums of bounded random variables. JASA "
             "58(301), 1963.")
DRV10 = Source("Dwork et al. 2010", "C. Dwork, G. N. Rothblum, S. Vadhan. Boosting and differential privacy. FOCS "
               "2010.")
KOV15 = Source("Kairouz et al. 2015", "P. Kairouz, S. Oh, P. Viswanath. The composition theorem for differential "
               "privacy. ICML 2015, arXiv:1311.0776.")
KKP01 = Source("Kotz et al. 2001", "S. Kotz, T. J. Kozubowski, K. Podgórski. The Laplace distribution and "
               "generalizations. Birkhäuser, 2001.")
DNPR10 = Source("Dwork, Naor et al. 2010", "C. Dwork, M. Naor, T. Pitassi, G. N. Rothblum. Differential privacy under "
                "continual observation. STOC 2010.")
CSS11 = Source("Chan et al. 2011", "T.-H. H. Chan, E. Shi, D. Song. Private and continual release of statistics. ACM "
               "Transactions on Information and System Security 14(3), 2011.")
DSSZ22 = Source("Doroshenko et al. 2022", "V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi. Connect the "
                "dots: tighter discrete approximations of privacy loss distributions. PoPETs 2022(4), "
                "arXiv:2207.04380.")
DWWZK18 = Source("Ding et al. 2018", "Z. Ding, Y. Wang, G. Wang, D. Zhang, D. Kifer. Detecting violations of "
                 "differential privacy. CCS 2018, arXiv:1805.10277.")
JUO20 = Source("Jagielski et al. 2020", "M. Jagielski, J. Ullman, A. Oprea. Auditing differentially private machine "
               "learning: how private is private SGD? NeurIPS 2020, arXiv:2006.07709.")
NRS07 = Source("Nissim et al. 2007", "K. Nissim, S. Raskhodnikova, A. Smith. Smooth sensitivity and sampling in "
               "private data analysis. STOC 2007.")
NS08 = Source("Narayanan & Shmatikov 2008", "A. Narayanan, V. Shmatikov. Robust de-anonymization of large sparse "
              "datasets. IEEE Symposium on Security and Privacy 2008.")
WM10 = Source("Williams & McSherry 2010", "O. Williams, F. McSherry. Probabilistic inference and differential privacy. "
              "NIPS 2010.")
BS18 = Source("Bernstein & Sheldon 2018", "G. Bernstein, D. Sheldon. Differentially private Bayesian inference for "
              "exponential families. NeurIPS 2018, arXiv:1809.02188.")
GV14 = Source("Geng & Viswanath 2014", "Q. Geng, P. Viswanath. The optimal mechanism in differential privacy. ISIT "
              "2014, arXiv:1212.1186.")
D70 = Source("DeGroot 1970", "M. H. DeGroot. Optimal statistical decisions. McGraw-Hill, 1970.")
MIRONOV12 = Source("Mironov 2012", "I. Mironov. On significance of the least significant bits for differential "
                   "privacy. CCS 2012.")

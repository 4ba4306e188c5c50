"""The literature, each work once."""

from __future__ import annotations

from dpstudio.records import dataclass


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
APPLE17 = Source("Apple 2017", "Apple Differential Privacy Team. Learning with privacy at scale. Apple Machine "
                 "Learning Journal 1(8), 2017, with its Differential Privacy Overview. "
                 "https://machinelearning.apple.com/research/learning-with-privacy-at-scale")
FACEBOOK20 = Source("Messing et al. 2020", "S. Messing, C. DeGregorio, B. Hillenbrand, G. King and others. Facebook "
                    "Privacy-Protected Full URLs Data Set. Harvard Dataverse, 2020, doi:10.7910/DVN/TDOAPG.")
SYMPTOMS20 = Source("Bavadekar et al. 2020", "S. Bavadekar and others. Google COVID-19 Search Trends Symptoms Dataset: "
                    "anonymization process description. 2020, arXiv:2009.01265.")
VACCINATION21 = Source("Bavadekar et al. 2021", "S. Bavadekar and others. Google COVID-19 Vaccination Search "
                       "Insights: anonymization process description. 2021, arXiv:2107.01179.")
MOBILITY20 = Source("Aktay et al. 2020", "A. Aktay and others. Google COVID-19 Community Mobility Reports: "
                    "anonymization process description. 2020, arXiv:2004.04145.")
GBOARD24 = Source("Xu & Zhang 2024", "Z. Xu, Y. Zhang. Advances in private training for production on-device "
                  "language models. Google Research blog, 2024; the method in arXiv:2305.18465.")
LINKEDIN20 = Source("Rogers et al. 2020", "R. Rogers, S. Subramaniam, S. Peng and others. LinkedIn’s Audience "
                    "Engagements API: a privacy preserving data analytics system at scale. arXiv:2002.05839.")
WIKIMEDIA23 = Source("Adeleye et al. 2023", "T. Adeleye and others. Publishing Wikipedia usage data with strong "
                     "privacy guarantees. arXiv:2308.16298; parameters at "
                     "https://analytics.wikimedia.org/published/datasets/country_project_page/00_README.html")
CENSUS22 = Source("Abowd et al. 2022", "J. M. Abowd and others. The 2020 Census Disclosure Avoidance System TopDown "
                  "Algorithm. Harvard Data Science Review, special issue 2, 2022; ε as the Census Bureau announced it "
                  "on 9 June 2021.")
BIRTHS24 = Source("Hod & Canetti 2024", "S. Hod, R. Canetti. Differentially private release of Israel’s National "
                  "Registry of Live Births. arXiv:2405.00267.")
MIRONOV12 = Source("Mironov 2012", "I. Mironov. On significance of the least significant bits for differential "
                   "privacy. CCS 2012.")
CKS20 = Source("Canonne et al. 2020", "C. L. Canonne, G. Kamath, T. Steinke. The discrete Gaussian for differential "
               "privacy. NeurIPS 2020, arXiv:2004.00010.")
LSL17 = Source("Lyu et al. 2017", "M. Lyu, D. Su, N. Li. Understanding the sparse vector technique for differential "
               "privacy. PVLDB 10(6), 2017, arXiv:1603.01699.")
DERIVED = Source("derived here", "Derived in the help of the study that has it, and tried by the tests.")
DURFEE23 = Source("Durfee 2023", "D. Durfee. Unbounded differentially private quantile and maximum estimation. NeurIPS "
                  "2023, arXiv:2305.01177.")
BS16 = Source("Bun & Steinke 2016", "M. Bun, T. Steinke. Concentrated differential privacy: simplifications, "
              "extensions, and lower bounds. TCC 2016, arXiv:1605.02065.")
MIRONOV17 = Source("Mironov 2017", "I. Mironov. Rényi differential privacy. CSF 2017, arXiv:1702.07476.")
BBG18 = Source("Balle et al. 2018", "B. Balle, G. Barthe, M. Gaboardi. Privacy amplification by subsampling: tight "
               "analyses via couplings and divergences. NeurIPS 2018, arXiv:1807.01647.")
ZDW22 = Source("Zhu et al. 2022", "Y. Zhu, J. Dong, Y.-X. Wang. Optimal accounting of differential privacy via "
               "characteristic function. AISTATS 2022, arXiv:2106.08567.")
CSUZZ19 = Source("Cheu et al. 2019", "A. Cheu, A. Smith, J. Ullman, D. Zeber, M. Zhilyaev. Distributed differential "
                 "privacy via shuffling. EUROCRYPT 2019, arXiv:1808.01394.")
BBGN19 = Source("Balle et al. 2019", "B. Balle, J. Bell, A. Gascón, K. Nissim. The privacy blanket of the shuffle "
                "model. CRYPTO 2019, arXiv:1903.02837.")
FMT21 = Source("Feldman et al. 2021", "V. Feldman, A. McMillan, K. Talwar. Hiding among the clones: a simple and "
               "nearly optimal analysis of privacy amplification by shuffling. FOCS 2021, arXiv:2012.12803.")
MT07 = Source("McSherry & Talwar 2007", "F. McSherry, K. Talwar. Mechanism design via differential privacy. FOCS "
              "2007.")
SMITH11 = Source("Smith 2011", "A. Smith. Privacy-preserving statistical estimation with optimal convergence rates. "
                 "STOC 2011.")
AKMV19 = Source("Amin et al. 2019", "K. Amin, A. Kulesza, A. Muñoz Medina, S. Vassilvitskii. Bounding user "
                "contributions: a bias-variance trade-off in differential privacy. ICML 2019.")
WZLDSG20 = Source("Wilson et al. 2020", "R. J. Wilson, C. Y. Zhang, W. Lam, D. Desfontaines, D. Simmons-Marengo, B. "
                  "Gipson. Differentially private SQL with bounded user contribution. PoPETs 2020(2), "
                  "arXiv:1909.01917.")
KULYNYCH25 = Source("Kulynych et al. 2025", "B. Kulynych, J. F. Gomez, G. Kaissis, J. Hayes, B. Balle, F. P. Calmon, "
                    "J. L. Raisaro. Unifying re-identification, attribute inference, and data reconstruction risks in "
                    "differential privacy. NeurIPS 2025, arXiv:2507.06969.")
KAZAN24 = Source("Kazan & Reiter 2024", "Z. Kazan, J. P. Reiter. Prior-itizing privacy: a Bayesian approach to setting "
                 "the privacy budget in differential privacy. NeurIPS 2024, arXiv:2306.13214.")
NIST25 = Source("NIST 2025", "J. P. Near, D. Darais, N. Lefkovitz, G. S. Howarth. Guidelines for evaluating "
                "differential privacy guarantees. NIST SP 800-226, 2025, doi:10.6028/NIST.SP.800-226.")
LABEL25 = Source("Dibia et al. 2025", "O. Dibia, M. Lu, P. Bhattacharjee, J. P. Near, Y. Feng. “We need a standard”: "
                 "toward an expert-informed privacy label for differential privacy. 2025, arXiv:2507.15997.")
AWAN18 = Source("Awan & Slavković 2018", "J. Awan, A. Slavković. Differentially private uniformly most powerful tests "
                "for binomial data. NeurIPS 2018, arXiv:1805.09236.")
MS20 = Source("McKenna & Sheldon 2020", "R. McKenna, D. Sheldon. Permute-and-flip: a new mechanism for differentially "
              "private selection. NeurIPS 2020, arXiv:2010.12603.")
SIDAK67 = Source("Šidák 1967", "Z. Šidák. Rectangular confidence regions for the means of multivariate normal "
                 "distributions. JASA 62(318), 1967.")
LR05 = Source("Lehmann & Romano 2005", "E. L. Lehmann, J. P. Romano. Testing statistical hypotheses. 3rd edition, "
              "Springer 2005, sections 3.4 and 4.2.")

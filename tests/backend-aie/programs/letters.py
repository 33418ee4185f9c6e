"""Names with letters that those of MLIR have not, beside names that they would become."""

import htp
from htp import In, Out, i16
from htp_csp import channel, pipeline, process
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def letters(größe: In[Tensor[i16, M, N]], gr__e: In[Tensor[i16, M, N]], länge: Out[Tensor[i16, M, N]]) -> None:
    läufe = channel(i16, 1, N, capacity=2)
    l_ufe = channel(i16, 1, N, capacity=2)

    @process
    def öffnen() -> None:
        for m in range(M):
            läufe.put(größe[m, :] * 3)
            l_ufe.put(größe[m, :] + gr__e[m, :])

    @process
    def schließen() -> None:
        for m in range(M):
            summe = läufe.get() - 1
            länge[m, :] = summe * l_ufe.get()

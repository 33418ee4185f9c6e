import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


#: more tensors than a task takes
@kernel
def program(p0: In[Tensor[f32, N]], p1: In[Tensor[f32, N]], p2: In[Tensor[f32, N]], p3: In[Tensor[f32, N]], p4: In[Tensor[f32, N]], p5: In[Tensor[f32, N]], p6: In[Tensor[f32, N]], p7: In[Tensor[f32, N]], p8: In[Tensor[f32, N]], p9: In[Tensor[f32, N]], p10: In[Tensor[f32, N]], p11: In[Tensor[f32, N]], p12: In[Tensor[f32, N]], p13: In[Tensor[f32, N]], p14: In[Tensor[f32, N]], p15: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = p0[i] + p1[i] + p2[i] + p3[i] + p4[i] + p5[i] + p6[i] + p7[i] + p8[i] + p9[i] + p10[i] + p11[i] + p12[i] + p13[i] + p14[i] + p15[i]
#> 2:1 error a2a3.task-arguments: a task of `program` takes 18 arguments, and a runtime takes 16
#>   hint: hand over several inputs as the rows of one tensor, or divide the kernel into several that use fewer tensors each

"""What `mapping.json` says, and the module beside it does not."""

#: no mapping
#! without: mapping.json
#> - error io.unreadable: cannot read `codegen/aie/mapping.json`: the package has no such file
#>   hint: check that the path is right, and that you may read it
#> - error aiesim.no-file: the package has no `codegen/aie/mapping.json`
#>   hint: compile the package again

#: no module
#! without: aie.mlir
#> - error io.unreadable: cannot read `codegen/aie/aie.mlir`: the package has no such file
#>   hint: check that the path is right, and that you may read it
#> - error aiesim.no-file: the package has no `codegen/aie/aie.mlir`
#>   hint: compile the package again

#: a schema that nobody has
#! file: mapping.json
#! old: htp.aie.mapping/1
#! new: htp.aie.mapping/0
#> - error aiesim.bad-schema: `mapping.json` is not of schema `htp.aie.mapping/1`
#>   hint: compile the package again

#: a parameter without a direction
#! file: mapping.json
#! old: "direction": "in",
#> - error aiesim.bad-parameter: a parameter in `mapping.json` lacks `name`, `direction`, `dtype` or `extents`
#>   hint: compile the package again

#: a fill that nobody has
#! file: mapping.json
#! old: "name": "x",
#! new: "name": "x", "fill": "ones",
#> - error aiesim.bad-fill: the padding of `x` in `mapping.json` holds neither zeros, the least nor the greatest
#>   hint: compile the package again

#: padding that is less than the tensor
#! file: mapping.json
#! old: "padded": \[\d+, 20\]
#! new: "padded": [36, 20]
#> - error aiesim.bad-padding: the padding of `x` in `mapping.json` does not hold it
#>   hint: compile the package again

#: a buffer of another size
#! file: mapping.json
#! old: "padded": \[\d+, 20\]
#! new: "padded": [99, 20]
#> - error aiesim.other-buffers: the runtime sequence takes other buffers than `mapping.json` says
#>   hint: compile the package again

#: a packed tensor beyond its end
#! program: layernorm M=8
#! file: mapping.json
#! old: "at": 96
#! new: "at": 97
#> - error aiesim.bad-packing: a packed tensor in `mapping.json` has elements outside of itself or of its tensors
#>   hint: compile the package again

#: a packed tensor of nobody
#! program: layernorm M=8
#! file: mapping.json
#! old: "tensor": "shift"
#! new: "tensor": "nobody"
#> - error aiesim.bad-packing: a packed tensor in `mapping.json` has elements outside of itself or of its tensors
#>   hint: compile the package again

#: a parameter of other extents than the manifest
#! file: mapping.json
#! old: "extents": \[37, 20\]
#! new: "extents": [36, 20]
#> - error aiesim.other-parameter: `mapping.json` has another `x` than the manifest
#>   hint: compile the package again

#: a function that the module does not call
#! program: external_kernel M=64 N=32
#! file: mapping.json
#! old: "name": "scaled"
#! new: "name": "scald"
#> - error aiesim.other-functions: the functions in `mapping.json` are not those that the module calls
#>   hint: compile the package again

#: a packed tensor that begins beyond all elements
#! program: layernorm M=8
#! file: mapping.json
#! old: "at": 96
#! new: "at": 9223372036854775807
#> - error aiesim.bad-packing: a packed tensor in `mapping.json` has elements outside of itself or of its tensors
#>   hint: compile the package again

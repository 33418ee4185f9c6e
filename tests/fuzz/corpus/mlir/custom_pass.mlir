"builtin.module"() ({
  "func.func"() <{function_type = (index, index, memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> (), sym_name = "custom_pass"}> ({
  ^bb0(%arg0: index loc("<stdin>":1:24), %arg1: index loc("<stdin>":1:35), %arg2: memref<?x?xf32> loc("<stdin>":1:46), %arg3: memref<?x?xf32> loc("<stdin>":1:67), %arg4: memref<?x?xf32> loc("<stdin>":1:88)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc("=0")
    %1 = "arith.constant"() <{value = 8 : index}> : () -> index loc("=8")
    %2 = "arith.constant"() <{value = 64 : index}> : () -> index loc("=64")
    %3 = "arith.constant"() <{value = 0 : index}> : () -> index loc("<stdin>":5:10)
    %4 = "arith.constant"() <{value = 1 : index}> : () -> index loc("<stdin>":6:10)
    %5 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32 loc("=1.0")
    "scf.for"(%0, %arg0, %1) ({
    ^bb0(%arg5: index loc("<stdin>":8:11)):
      %6 = "arith.subi"(%arg0, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("1:")
      %7 = "arith.minsi"(%1, %6) : (index, index) -> index loc("1:i_n")
      "scf.for"(%0, %arg1, %2) ({
      ^bb0(%arg6: index loc("<stdin>":11:13)):
        %8 = "arith.subi"(%arg1, %arg6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("3:")
        %9 = "arith.minsi"(%2, %8) : (index, index) -> index loc("3:j_n")
        "scf.for"(%3, %7, %4) ({
        ^bb0(%arg7: index loc("<stdin>":14:15)):
          "scf.for"(%3, %9, %4) ({
          ^bb0(%arg8: index loc("<stdin>":15:17)):
            %10 = "arith.addi"(%arg5, %arg7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("6:")
            %11 = "arith.addi"(%arg6, %arg8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("6:")
            %12 = "memref.load"(%arg2, %10, %11) : (memref<?x?xf32>, index, index) -> f32 loc("6:x_tile_3")
            %13 = "arith.negf"(%12) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc("7:neg_3")
            %14 = "math.exp"(%13) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc("8:exp_3")
            %15 = "arith.addf"(%5, %14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("9:add_2")
            %16 = "arith.negf"(%12) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc("10:neg_2")
            %17 = "math.exp"(%16) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc("11:exp_2")
            %18 = "arith.addf"(%5, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("12:add_1")
            %19 = "arith.mulf"(%18, %15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("13:mul")
            %20 = "arith.negf"(%12) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc("14:neg_1")
            %21 = "math.exp"(%20) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc("15:exp_1")
            %22 = "arith.divf"(%21, %19) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("16:div_1")
            %23 = "arith.addi"(%arg5, %arg7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("17:")
            %24 = "arith.addi"(%arg6, %arg8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("17:")
            "memref.store"(%22, %arg4, %23, %24) : (f32, memref<?x?xf32>, index, index) -> () loc("17:")
            %25 = "arith.negf"(%12) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc("18:neg")
            %26 = "math.exp"(%25) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc("19:exp")
            %27 = "arith.addf"(%5, %26) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("20:add")
            %28 = "arith.divf"(%5, %27) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc("21:div")
            %29 = "arith.addi"(%arg5, %arg7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("22:")
            %30 = "arith.addi"(%arg6, %arg8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc("22:")
            "memref.store"(%28, %arg3, %29, %30) : (f32, memref<?x?xf32>, index, index) -> () loc("22:")
            "scf.yield"() : () -> () loc("<stdin>":15:9)
          }) {htp.loop = "htp.vectorized(_)"} : (index, index, index) -> () loc("5:q")
          "scf.yield"() : () -> () loc("<stdin>":14:7)
        }) : (index, index, index) -> () loc("4:p")
        "scf.yield"() : () -> () loc("<stdin>":11:5)
      }) : (index, index, index) -> () loc("2:j_at")
      "scf.yield"() : () -> () loc("<stdin>":8:3)
    }) : (index, index, index) -> () loc("0:i_at")
    "func.return"() : () -> () loc("<stdin>":43:3)
  }) : () -> () loc("<stdin>":1:1)
}) : () -> () loc("<stdin>":0:0)

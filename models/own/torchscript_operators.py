"""The operators of TorchScript that a file's program may use: they compute on what they are given, and on nothing else.

Those that write and read files, print, start threads, set what all threads share, or draw by chance (answers shall
repeat) are not among them.
"""

_ATEN = """
abs acos adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d add add_ addbmm addcmul addmm
affine_grid_generator alias all allclose alpha_dropout amax amin __and__ any append arange argmax argmin argsort
as_tensor asin atan atan2 avg_pool1d avg_pool2d baddbmm batch_norm bilinear bitwise_and bitwise_not bitwise_or bmm
Bool broadcast_tensors broadcast_to bucketize cat ceil celu chunk clamp clamp_ clamp_max clamp_min clear clone
constant_pad_nd __contains__ contiguous conv1d conv2d conv3d conv_transpose1d conv_transpose2d _convolution copy copy_
cos cosh cosine_similarity cross cumprod cumsum __derive_index detach diag diagonal dict dim div div_ divide dot
dropout dropout_ dtype einsum elu elu_ embedding embedding_bag eq equal erf exp expand expand_as expm1 extend eye
feature_dropout fill_ flatten flip Float floor floor_divide floordiv fmod format frac full full_like gather ge gelu
get __getitem__ glu grid_sampler group_norm gru gt hardsigmoid hardsigmoid_ hardswish hardswish_ hardtanh hardtanh_
im2col index index_add index_fill index_put_ index_select instance_norm Int interpolate __is__ is_autocast_enabled
is_floating_point is_grad_enabled isfinite isinf isnan __isnot__ item items keys kthvalue layer_norm le leaky_relu
leaky_relu_ len lerp linear linspace list log log10 log1p log2 log_sigmoid _log_softmax log_softmax logical_and
logical_not logical_or logical_xor logsumexp lower __lshift__ lstm lt masked_fill masked_fill_ masked_select matmul
max max_pool1d max_pool2d maximum mean median meshgrid min minimum mish mm mul mul_ multiply mv narrow
native_layer_norm _native_multi_head_attention ne neg _nested_tensor_from_mask _nested_tensor_from_mask_left_aligned
new_full new_ones new_zeros nonzero norm __not__ numel one_hot ones ones_like __or__ pad permute pixel_shuffle
pixel_unshuffle pop pow prelu prod quantile __range_length reciprocal reflection_pad1d reflection_pad2d relu relu_
relu6 relu6_ remainder repeat repeat_interleave replication_pad2d requires_grad reshape reshape_as rms_norm roll round
__rshift__ rsqrt rsub scaled_dot_product_attention scatter scatter_ scatter_add searchsorted select selu _set_item
_shape_as_tensor sigmoid sigmoid_ sign silu silu_ sin sinh size slice _softmax softmax softplus sort split
split_with_sizes sqrt square squeeze squeeze_ stack startswith std str sub sub_ sum swapaxes t take tan tanh tanh_
tensor tensor_split tile to _to_copy to_dense to_padded_tensor topk _transformer_encoder_layer_fwd transpose tril triu
true_divide type_as unbind unflatten unfold unique unsqueeze unsqueeze_ _unwrap_optional upsample_bicubic2d
_upsample_bicubic2d_aa upsample_bilinear2d _upsample_bilinear2d_aa upsample_nearest1d upsample_nearest2d values var
vector_norm view view_as warn _weight_norm where __xor__ zero_ zeros zeros_like
"""
_PRIM = """
RaiseException NumToTensor abs data device dtype is_cuda is_nested itemsize layout max min ndim requires_grad shape type
unchecked_cast unchecked_unwrap_optional
"""
_PLAIN = """
annotate bool complex float getattr hasattr int isinstance len range str unchecked_cast uninitialized
"""

_TYPES = """
Any Device Dict Enum Final Interface List Module NamedTuple NoneType Optional Tensor Tuple Union __annotations__ inf nan
number
"""

ATEN = frozenset(_ATEN.split())
"""Called as `torch.NAME`, or as a method of a tensor, list, table or text."""
PRIM = frozenset(_PRIM.split())
"""Called as `ops.prim.NAME`, or as a field of a tensor."""
PLAIN = frozenset(_PLAIN.split())
"""Called by the bare name."""
TYPES = frozenset(_TYPES.split())
"""Types and numbers that have a name of their own."""

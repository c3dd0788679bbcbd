// SPDX-License-Identifier: Apache-2.0
//
// "Lanes": W doubles that go through the same arithmetic side by side, in one vector register.
//
// Every operation is exactly rounded and nothing is fused or reordered, so a lane computes the same
// bits whatever W is, and whatever its neighbours compute.
#pragma once

#include <climits>
#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// No fused multiply-add, which some widths have and others do not.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

namespace ik {

static_assert(sizeof(long) == sizeof(double), "a comparison of doubles gives a mask of longs");

template <int W>
struct LaneTypes {
  typedef double Real __attribute__((vector_size(W * sizeof(double))));
  typedef long Bits __attribute__((vector_size(W * sizeof(double))));
  using Mask = Bits;  // what comparing two Reals gives: all ones where true
};

template <>
struct LaneTypes<1> {
  using Real = double;
  using Bits = long;
  using Mask = bool;
};

template <int W>
using Real = typename LaneTypes<W>::Real;

template <class V>
constexpr int lanes_of = sizeof(V) / sizeof(double);
template <class V>
using MaskOf = typename LaneTypes<lanes_of<V>>::Mask;
template <class V>
using BitsOf = typename LaneTypes<lanes_of<V>>::Bits;

template <class V>
inline V broadcast(double value) {
  V lanes;
  for (int i = 0; i < lanes_of<V>; ++i) reinterpret_cast<double*>(&lanes)[i] = value;
  return lanes;
}

template <class V>
inline double& lane(V& lanes, int i) {
  return reinterpret_cast<double*>(&lanes)[i];
}

template <class V>
inline double lane(const V& lanes, int i) {
  return reinterpret_cast<const double*>(&lanes)[i];
}

template <class V>
inline BitsOf<V> bits(V real) {
  BitsOf<V> result;
  std::memcpy(&result, &real, sizeof(V));
  return result;
}

template <class V>
inline V real(BitsOf<V> bits) {
  V result;
  std::memcpy(&result, &bits, sizeof(V));
  return result;
}

// -- masks ------------------------------------------------------------------------------------

template <class V>
inline V select(MaskOf<V> mask, V yes, V no) {
  return mask ? yes : no;
}

template <class V>
inline MaskOf<V> opposite(MaskOf<V> mask) {
  if constexpr (lanes_of<V> == 1) {
    return !mask;
  } else {
    return ~mask;
  }
}

// One bit per lane.
template <class V>
inline unsigned bit_set(MaskOf<V> mask) {
  constexpr int kLanes = lanes_of<V>;
  if constexpr (kLanes == 1) {
    return mask;
#if defined(__x86_64__)
  } else if constexpr (kLanes == 2) {
    return _mm_movemask_pd(reinterpret_cast<__m128d>(mask));
  } else if constexpr (kLanes == 4) {
    return _mm256_movemask_pd(reinterpret_cast<__m256d>(mask));
  } else if constexpr (kLanes == 8) {
    return _mm512_movepi64_mask(reinterpret_cast<__m512i>(mask));
#endif
  } else {
    unsigned set = 0;
    for (int i = 0; i < kLanes; ++i) set |= static_cast<unsigned>(mask[i] & 1) << i;
    return set;
  }
}

// -- functions of one number ------------------------------------------------------------------

template <class V>
inline V absolute(V x) {
  return real<V>(bits(x) & LONG_MAX);
}

template <class V>
inline V larger(V a, V b) {
  return select<V>(a > b, a, b);
}

template <class V>
inline V smaller(V a, V b) {
  return select<V>(a < b, a, b);
}

template <class V>
inline V square_root(V x) {
  constexpr int kLanes = lanes_of<V>;
  if constexpr (kLanes == 1) {
    return __builtin_sqrt(x);
#if defined(__x86_64__)
  } else if constexpr (kLanes == 2) {
    return _mm_sqrt_pd(x);
  } else if constexpr (kLanes == 4) {
    return _mm256_sqrt_pd(x);
  } else if constexpr (kLanes == 8) {
    return _mm512_maskz_sqrt_pd(0xff, x);  // GCC warns about the plain one: PR 105593
#endif
  } else {
    V result;
    for (int i = 0; i < kLanes; ++i) lane(result, i) = __builtin_sqrt(lane(x, i));
    return result;
  }
}

}  // namespace ik

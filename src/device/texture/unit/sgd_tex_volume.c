/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: `volume` views, i.e. 3D textures of formats whose channels each lie in one word.
 * Wraps, fetches and filters eight lanes at a time. Results are the same as those of
 * sgd_tex_filter.c. Compiled once for each x86-64 level of the host CPU.
 *
 * The texels of a warp usually form a small box: rays that start at neighbouring pixels pass through
 * the same texels. Such a box is copied to rows of consecutive texels, so that one load of eight
 * bytes returns both texels of a lane along x. Otherwise, each of the eight texels of a lane is
 * loaded separately.
 */
#include "texture/unit/sgd_tex_exec.h"

#ifdef __AVX2__
#include "texture/unit/sgd_tex_box_avx2.h"
#include "texture/unit/sgd_tex_words_avx2.h"

#define VECTORS (SGD_WARP / SGD_T8)
#define TAPS 8 /* tap n is texel (n >> a) & 1 along axis a */

/* Size in bytes of a row of a box, which contains up to eight words. */
#define ROW 32
/* Maximum number of rows of a box, if it has up to four columns, and up to eight. With more rows,
 * copying the box takes as long as loading each lane's texels.
 */
#define MAX_ROWS_OF_4 48
#define MAX_ROWS_OF_8 24

enum mode { REPEAT, EDGE, MIRROR };

struct axis {
   const float *s;
   enum mode mode;
   float scale; /* converts a coordinate to fixed-point steps, which are clamped to [low, high] */
   float low, high;
   int32_t last; /* index of the last texel */
};

/* Local copy of all parameters, which stores of results can't alias. */
struct volume {
   struct axis axis[3];
   struct sgd_t8_surface surface;
   bool scaled;
   struct sgd_t8 to; /* only `active` and `dst` are used */
};

/* -- wrapping ------------------------------------------------------------------ */

/* Initializes an axis. `unit` is the number of fixed-point steps per texel, and `margin` the
 * minimum distance of clamped coordinates from the edges in texels.
 */
static void
axis_init(struct axis *a, const float *s, int32_t size, enum mode mode, float unit, float margin)
{
   const float n = (float)size;
   a->s = s;
   a->mode = mode;
   a->scale = n * unit;
   a->low = mode == EDGE ? margin * unit : 0.0f;
   a->high = (mode == EDGE ? n - margin : mode == MIRROR ? 2.0f * n : n) * unit;
   a->last = size - 1;
}

/* Converts coordinates to fixed-point steps inside one period. NaN becomes the lower limit, since
 * min and max instructions return their second operand for NaN.
 */
static ALWAYS_INLINE __m256
reduce(const struct axis *a, __m256 s)
{
   if (a->mode == REPEAT) {
      s = _mm256_sub_ps(s, _mm256_floor_ps(s));
   } else if (a->mode == MIRROR) {
      const __m256 period = _mm256_floor_ps(_mm256_mul_ps(_mm256_set1_ps(0.5f), s));
      s = _mm256_sub_ps(s, _mm256_mul_ps(_mm256_set1_ps(2.0f), period));
   }
   s = _mm256_max_ps(_mm256_mul_ps(s, _mm256_set1_ps(a->scale)), _mm256_set1_ps(a->low));
   return _mm256_min_ps(s, _mm256_set1_ps(a->high));
}

/* Wraps texel indices from -1 to one beyond the period. Other indices yield an arbitrary index
 * inside the level.
 */
static ALWAYS_INLINE __m256i
wrap(const struct axis *a, __m256i i)
{
   const __m256i last = _mm256_set1_epi32(a->last), one = _mm256_set1_epi32(1);
   if (a->mode == MIRROR) {
      const __m256i back = _mm256_sub_epi32(_mm256_add_epi32(_mm256_add_epi32(last, last), one), i);
      return _mm256_max_epi32(_mm256_min_epi32(i, back), _mm256_setzero_si256());
   }
   const __m256i in = _mm256_min_epu32(i, last);
   if (a->mode == EDGE)
      return in;
   return _mm256_andnot_si256(_mm256_cmpeq_epi32(_mm256_sub_epi32(i, last), one), in);
}

/* Returns the coordinates of a linear filter in units of 1/256 texel, relative to the center of the
 * first texel.
 */
static ALWAYS_INLINE __m256i
fixed(const struct axis *a, unsigned l)
{
   const __m256 steps = reduce(a, _mm256_loadu_ps(a->s + l));
   return _mm256_sub_epi32(_mm256_cvtps_epi32(steps), _mm256_set1_epi32(128));
}

static ALWAYS_INLINE __m256i
nearest(const struct axis *a, unsigned l)
{
   const __m256i i = _mm256_cvttps_epi32(reduce(a, _mm256_loadu_ps(a->s + l)));
   if (a->mode == MIRROR)
      return wrap(a, i);
   return _mm256_min_epu32(i, _mm256_set1_epi32(a->last));
}

/* -- boxes --------------------------------------------------------------------- */

/* Texels of the base level that a warp reads: the first texel along each axis, before wrapping, and
 * the number of texels.
 */
struct box {
   int32_t first[3], count[3];
};

static ALWAYS_INLINE struct box
find_box(const __m256i at[3][VECTORS])
{
   const __m256i ones = _mm256_set1_epi32(-1);
   int32_t ends[8];
   struct box box;
   _mm_storeu_si128((__m128i *)ends,
                    sgd_t8_least(sgd_t8_least4(at[0]), _mm256_xor_si256(sgd_t8_most4(at[0]), ones),
                                 sgd_t8_least4(at[1]),
                                 _mm256_xor_si256(sgd_t8_most4(at[1]), ones)));
   const __m256i low = sgd_t8_least4(at[2]);
   const __m256i high = _mm256_xor_si256(sgd_t8_most4(at[2]), ones);
   _mm_storeu_si128((__m128i *)(ends + 4), sgd_t8_least(low, high, low, high));
   for (unsigned a = 0; a < 3; a++) {
      box.first[a] = ends[2 * a] >> 8;
      box.count[a] = (~ends[2 * a + 1] >> 8) - box.first[a] + 2;
   }
   return box;
}

/* Returns true if copying the box is faster than loading each lane's texels. */
static inline bool
is_small(const struct box *box)
{
   const int32_t columns = box->count[0], rows = box->count[1] * box->count[2];
   return box->count[1] <= MAX_ROWS_OF_4 && box->count[2] <= MAX_ROWS_OF_4 &&
          ((columns <= 4 && rows <= MAX_ROWS_OF_4) || (columns <= 8 && rows <= MAX_ROWS_OF_8));
}

/* Words of the texels of a box, in rows along x. */
struct rows {
   _Alignas(32) uint8_t at[MAX_ROWS_OF_4 * ROW];
   /* byte offset of each lane's first texel, and of the four rows that a lane reads */
   _Alignas(32) uint32_t place[SGD_WARP];
   uint32_t row[4];
};

/* Copies one word of each texel of the box. `size_log2` is a compile-time constant. */
static ALWAYS_INLINE void
copy_box(const struct volume *v, const struct box *box, const uint8_t *base, unsigned size_log2,
         struct rows *rows)
{
   const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
   _Alignas(32) uint32_t side[3][MAX_ROWS_OF_4];
   uint8_t *to = rows->at;
   for (unsigned a = 0; a < 3; a++) {
      for (int32_t n = 0; n < box->count[a]; n += SGD_T8) {
         const __m256i i = _mm256_add_epi32(number, _mm256_set1_epi32(box->first[a] + n));
         _mm256_store_si256((__m256i *)(side[a] + n),
                            sgd_t8_offset(&v->surface, a, wrap(&v->axis[a], i)));
      }
   }
   const bool few = box->count[0] <= 4;
   for (int32_t z = 0; z < box->count[2]; z++) {
      for (int32_t y = 0; y < box->count[1]; y++) {
         const uint8_t *row = base + (side[1][y] + side[2][z]);
         const __m128i low = sgd_t8_four_words(row, size_log2, side[0]);
         /* A row is stored at once, since loads of two texels would stall on narrower stores. */
         if (few) {
            _mm_store_si128((__m128i *)to, low);
         } else {
            const __m128i high = sgd_t8_four_words(row, size_log2, side[0] + 4);
            _mm256_store_si256((__m256i *)to, _mm256_set_m128i(high, low));
         }
         to += ROW;
      }
   }
}

static ATTRIBUTE_NOINLINE void
copy_box_of_size(const struct volume *v, const struct box *box, unsigned word, struct rows *rows)
{
   const uint8_t *base = v->surface.base + 4 * word;
   if (v->surface.size_log2 == 0)
      copy_box(v, box, base, 0, rows);
   else if (v->surface.size_log2 == 1)
      copy_box(v, box, base, 1, rows);
   else
      copy_box(v, box, base, 2, rows);
}

static ALWAYS_INLINE void
set_places(const struct box *box, const __m256i at[3][VECTORS], struct rows *rows)
{
   const uint32_t slice = (uint32_t)box->count[1] * ROW;
   for (unsigned k = 0; k < VECTORS; k++) {
      __m256i i[3];
      for (unsigned a = 0; a < 3; a++)
         i[a] = _mm256_sub_epi32(_mm256_srai_epi32(at[a][k], 8), _mm256_set1_epi32(box->first[a]));
      const __m256i z = _mm256_mullo_epi32(i[2], _mm256_set1_epi32((int32_t)slice));
      const __m256i y = _mm256_slli_epi32(i[1], 5), x = _mm256_slli_epi32(i[0], 2);
      _mm256_store_si256((__m256i *)(rows->place + k * SGD_T8),
                         _mm256_add_epi32(_mm256_add_epi32(x, y), z));
   }
   rows->row[0] = 0;
   rows->row[1] = ROW;
   rows->row[2] = slice;
   rows->row[3] = slice + ROW;
}

static_assert(ROW == 1 << 5, "places are shifted");

static ALWAYS_INLINE __m128
two_pairs(const uint8_t *at, uint32_t a, uint32_t b)
{
   const __m128d low = _mm_load_sd((const double *)(const void *)(at + a));
   return _mm_castpd_ps(_mm_loadh_pd(low, (const double *)(const void *)(at + b)));
}

/* Loads the taps of the eight lanes starting at l from the rows of a box. */
static ALWAYS_INLINE void
load_rows(const struct rows *rows, unsigned l, __m256i taps[TAPS])
{
   const uint32_t *place = rows->place + l;
   const uint32_t p[SGD_T8] = { place[0], place[1], place[2], place[3],
                                place[4], place[5], place[6], place[7] };
   for (unsigned r = 0; r < 4; r++) {
      const uint8_t *at = rows->at + rows->row[r];
      const __m256 a = _mm256_set_m128(two_pairs(at, p[4], p[5]), two_pairs(at, p[0], p[1]));
      const __m256 b = _mm256_set_m128(two_pairs(at, p[6], p[7]), two_pairs(at, p[2], p[3]));
      taps[2 * r] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
      taps[2 * r + 1] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
   }
}

/* -- lanes --------------------------------------------------------------------- */

/* Byte offsets of the two texels of each lane along each axis. */
struct offsets {
   __m256i at[VECTORS][3][2];
};

static ATTRIBUTE_NOINLINE void
find_offsets(const struct volume *v, const __m256i at[3][VECTORS], struct offsets *o)
{
   for (unsigned a = 0; a < 3; a++) {
      for (unsigned k = 0; k < VECTORS; k++) {
         const __m256i i = _mm256_srai_epi32(at[a][k], 8);
         const __m256i next = _mm256_add_epi32(i, _mm256_set1_epi32(1));
         o->at[k][a][0] = sgd_t8_offset(&v->surface, a, wrap(&v->axis[a], i));
         o->at[k][a][1] = sgd_t8_offset(&v->surface, a, wrap(&v->axis[a], next));
      }
   }
}

/* Loads one word of each of the eight taps. `size_log2` is a compile-time constant. */
static ALWAYS_INLINE void
load_taps(const struct volume *v, const struct offsets *o, unsigned k, const uint8_t *base,
          unsigned size_log2, __m256i taps[TAPS])
{
   const __m256i(*at)[2] = o->at[k];
   for (unsigned r = 0; r < 4; r++) {
      const __m256i row = _mm256_add_epi32(at[1][r & 1], at[2][r >> 1]);
      taps[2 * r] = sgd_t8_eight_words(&v->surface, base, size_log2,
                                       _mm256_add_epi32(row, at[0][0]));
      taps[2 * r + 1] = sgd_t8_eight_words(&v->surface, base, size_log2,
                                           _mm256_add_epi32(row, at[0][1]));
   }
}

/* -- filters ------------------------------------------------------------------- */

/* One word of all taps of a warp. */
struct taps {
   __m256i word[VECTORS][TAPS];
};

/* Fetches the taps of a linear filter. `rows` contains places if the box is small; otherwise, `o`
 * contains offsets.
 */
static ATTRIBUTE_NOINLINE void
fetch_linear(const struct volume *v, const struct box *box, struct rows *rows,
             const struct offsets *o, unsigned word, struct taps *t)
{
   const uint8_t *base = v->surface.base + 4 * word;
   if (rows) {
      copy_box_of_size(v, box, word, rows);
      for (unsigned k = 0; k < VECTORS; k++)
         load_rows(rows, k * SGD_T8, t->word[k]);
      return;
   }
   for (unsigned k = 0; k < VECTORS; k++) {
      if (v->surface.size_log2 == 0)
         load_taps(v, o, k, base, 0, t->word[k]);
      else if (v->surface.size_log2 == 1)
         load_taps(v, o, k, base, 1, t->word[k]);
      else
         load_taps(v, o, k, base, 2, t->word[k]);
   }
}

/* Filters and stores channel c of all lanes. `form` is a compile-time constant. */
static ALWAYS_INLINE void
linear_channel(const struct volume *v, const struct sgd_tex_unit *u, const __m256i at[3][VECTORS],
               const struct taps *t, unsigned c, enum sgd_tex_word form)
{
   const struct sgd_t8_scaling s = sgd_t8_scaling_of(u, c, v->scaled);
   const struct sgd_t8_place p = sgd_t8_place_of(u, c);
   for (unsigned k = 0; k < VECTORS; k++) {
      const __m256i *w = t->word[k];
      const __m256 fx = sgd_t8_fraction(at[0][k]), fy = sgd_t8_fraction(at[1][k]);
      __m256 row[4];
      for (unsigned r = 0; r < 4; r++)
         row[r] = sgd_t8_lerp(sgd_t8_decode(&p, form, w[2 * r]),
                              sgd_t8_decode(&p, form, w[2 * r + 1]), fx);
      const __m256 front = sgd_t8_lerp(row[0], row[1], fy);
      const __m256 back = sgd_t8_lerp(row[2], row[3], fy);
      const __m256 all = sgd_t8_lerp(front, back, sgd_t8_fraction(at[2][k]));
      sgd_t8_store(&v->to, c, k * SGD_T8, sgd_t8_scaled(&s, form, all), false);
   }
}

/* Stores channel c of the texels in the first tap. `form` is a compile-time constant. */
static ALWAYS_INLINE void
nearest_channel(const struct volume *v, const struct sgd_tex_unit *u, const __m256i w[VECTORS],
                unsigned c, enum sgd_tex_word form)
{
   const struct sgd_t8_scaling s = sgd_t8_scaling_of(u, c, v->scaled);
   const struct sgd_t8_place p = sgd_t8_place_of(u, c);
   for (unsigned k = 0; k < VECTORS; k++)
      sgd_t8_store(&v->to, c, k * SGD_T8, sgd_t8_scaled(&s, form, sgd_t8_decode(&p, form, w[k])),
                   false);
}

static ALWAYS_INLINE void
linear(struct volume *v, const struct sgd_tex_unit *u)
{
   __m256i at[3][VECTORS];
   struct rows rows;
   struct offsets offsets;
   struct taps taps;
   unsigned fetched = 4; /* index of the word in `taps`, or 4 */

   for (unsigned a = 0; a < 3; a++) {
      for (unsigned k = 0; k < VECTORS; k++)
         at[a][k] = fixed(&v->axis[a], k * SGD_T8);
      if (unlikely(v->to.active != ~0u))
         sgd_t8_move_inactive(v->to.active, at[a]);
   }
   const struct box box = find_box(at);
   const bool small = is_small(&box);
   if (small)
      set_places(&box, at, &rows);
   else
      find_offsets(v, at, &offsets);
   for (unsigned c = 0; c < 4; c++) {
      if (!v->to.dst[c])
         continue;
      if (u->word_index[c] != fetched)
         fetch_linear(v, &box, small ? &rows : NULL, &offsets, u->word_index[c], &taps);
      fetched = u->word_index[c];
      SGD_T8_EACH_FORM(u->word_form[c], linear_channel, v, u, at, &taps, c)
   }
}

static ALWAYS_INLINE void
nearest_texels(struct volume *v, const struct sgd_tex_unit *u)
{
   __m256i at[VECTORS], texels[VECTORS];
   unsigned fetched = 4;
   for (unsigned k = 0; k < VECTORS; k++) {
      at[k] = sgd_t8_offset(&v->surface, 0, nearest(&v->axis[0], k * SGD_T8));
      for (unsigned a = 1; a < 3; a++)
         at[k] = _mm256_add_epi32(at[k],
                                  sgd_t8_offset(&v->surface, a, nearest(&v->axis[a], k * SGD_T8)));
   }
   for (unsigned c = 0; c < 4; c++) {
      const uint8_t *base = v->surface.base + 4 * u->word_index[c];
      if (!v->to.dst[c])
         continue;
      for (unsigned k = 0; k < VECTORS && u->word_index[c] != fetched; k++)
         texels[k] = v->surface.size_log2 == 0   ? sgd_t8_eight_words(&v->surface, base, 0, at[k])
                     : v->surface.size_log2 == 1 ? sgd_t8_eight_words(&v->surface, base, 1, at[k])
                                                 : sgd_t8_eight_words(&v->surface, base, 2, at[k]);
      fetched = u->word_index[c];
      SGD_T8_EACH_FORM(u->word_form[c], nearest_channel, v, u, texels, c)
   }
}

/* Returns false if the wrap mode of an axis can read the border color, and a lane's filter reads a
 * texel outside the level.
 */
static bool
mode_of(const struct sgd_tex_unit *u, enum sgpu_wrap wrap, const float *s, int32_t size,
        enum mode *mode)
{
   *mode = wrap == SGPU_WRAP_REPEAT ? REPEAT : wrap == SGPU_WRAP_MIRROR_REPEAT ? MIRROR : EDGE;
   return *mode != EDGE || wrap == SGPU_WRAP_CLAMP_TO_EDGE || sgd_tex_inside(u, s, size, true);
}

bool
sgd_tex_volume_filter(const struct sgd_tex_volume *from, bool is_linear, bool scaled)
{
   const struct sgd_tex_unit *u = from->unit;
   const struct sgd_tex_level *level = from->level;
   const struct SGPU_SAMPLER *s = from->sampler;
   const enum sgpu_wrap wraps[3] = { s->wrap_s, s->wrap_t, s->wrap_r };
   const int32_t size[3] = { level->width, level->height, level->depth };
   struct volume v;

   if (s->unnormalized)
      return false;
   for (unsigned a = 0; a < 3; a++) {
      enum mode mode;
      if (!mode_of(u, wraps[a], from->s[a], size[a], &mode))
         return false;
      axis_init(&v.axis[a], from->s[a], size[a], mode, is_linear ? 256.0f : 1.0f,
                is_linear ? 0.5f : 0.0f);
   }
   v.surface = sgd_t8_surface_of(u, level);
   v.scaled = scaled;
   v.to.active = from->active;
   for (unsigned c = 0; c < 4; c++)
      v.to.dst[c] = from->dst[c];
   if (is_linear)
      linear(&v, u);
   else
      nearest_texels(&v, u);
   return true;
}
#endif

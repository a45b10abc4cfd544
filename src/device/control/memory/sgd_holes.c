/* SPDX-License-Identifier: MIT */
/*
 * Allocates ranges of the address space, always at the lowest address that fits. The free ranges
 * (holes) are in a treap that is sorted by address (Seidel and Aragon, "Randomized Search Trees",
 * 1996). Each node also stores the size of the largest hole in its subtree.
 *
 * n allocated ranges can have at most n + 1 holes between them. Each allocation of a range
 * therefore also allocates a record for one more hole.
 */
#include "control/memory/sgd_holes.h"

#include <assert.h>
#include <stdlib.h>

#include "util/macros.h"

struct sgd_hole {
   /* children in the tree; in the list of spare records, `right` is the next one */
   struct sgd_hole *left, *right;
   uint64_t address, size;
   uint64_t largest; /* size in bytes of the largest hole in this subtree */
   /* random number for the balance of the tree; children never have a higher one */
   uint32_t priority;
};

static void
update(struct sgd_hole *hole)
{
   hole->largest = hole->size;
   if (hole->left)
      hole->largest = MAX2(hole->largest, hole->left->largest);
   if (hole->right)
      hole->largest = MAX2(hole->largest, hole->right->largest);
}

/* Joins two trees. All holes in `low` must have lower addresses than those in `high`. */
static struct sgd_hole *
join(struct sgd_hole *low, struct sgd_hole *high)
{
   if (!low || !high)
      return low ? low : high;
   if (low->priority > high->priority) {
      low->right = join(low->right, high);
      update(low);
      return low;
   }
   high->left = join(low, high->left);
   update(high);
   return high;
}

/* Splits the tree into holes that start below the address and all other holes. */
static void
cut(struct sgd_hole *tree, uint64_t address, struct sgd_hole **low, struct sgd_hole **high)
{
   if (!tree) {
      *low = *high = NULL;
   } else if (tree->address < address) {
      cut(tree->right, address, &tree->right, high);
      update(tree);
      *low = tree;
   } else {
      cut(tree->left, address, low, &tree->left);
      update(tree);
      *high = tree;
   }
}

static void
make_spare(struct sgd_holes *h, struct sgd_hole *hole)
{
   hole->right = h->spares;
   h->spares = hole;
}

static struct sgd_hole *
take_spare(struct sgd_holes *h)
{
   struct sgd_hole *hole = h->spares;
   assert(hole);
   h->spares = hole->right;
   return hole;
}

/* Allocates one more record, which is needed for each allocated range. Returns false if out of
 * memory.
 */
static bool
add_spare(struct sgd_holes *h)
{
   struct sgd_hole *hole = malloc(sizeof(*hole));
   if (hole)
      make_spare(h, hole);
   return hole != NULL;
}

static void
insert(struct sgd_holes *h, uint64_t address, uint64_t size)
{
   struct sgd_hole *hole = take_spare(h), *low, *high;

   /* xorshift32 (Marsaglia 2003) */
   h->random ^= h->random << 13;
   h->random ^= h->random >> 17;
   h->random ^= h->random << 5;
   *hole = (struct sgd_hole){ .address = address, .size = size, .priority = h->random };
   update(hole);
   cut(h->root, address, &low, &high);
   h->root = join(join(low, hole), high);
}

/* Removes a hole from the tree, and makes its record a spare one. */
static void
remove_hole(struct sgd_holes *h, struct sgd_hole *hole)
{
   struct sgd_hole *low, *rest, *high;

   cut(h->root, hole->address, &low, &rest);
   cut(rest, hole->address + 1, &rest, &high);
   assert(rest == hole && !hole->left && !hole->right);
   h->root = join(low, high);
   make_spare(h, hole);
}

bool
sgd_holes_init(struct sgd_holes *h, uint64_t first, uint64_t size)
{
   h->root = h->spares = NULL;
   h->random = 1;
   if (!add_spare(h))
      return false;
   insert(h, first, size);
   return true;
}

static void
free_tree(struct sgd_hole *tree)
{
   if (!tree)
      return;
   free_tree(tree->left);
   free_tree(tree->right);
   free(tree);
}

void
sgd_holes_finish(struct sgd_holes *h)
{
   free_tree(h->root);
   while (h->spares)
      free(take_spare(h));
}

/* Allocates `size` bytes at offset `before` of the hole. The rest of the hole stays free. */
static void
split(struct sgd_holes *h, struct sgd_hole *hole, uint64_t before, uint64_t size)
{
   const uint64_t address = hole->address;
   const uint64_t after = hole->size - before - size;

   remove_hole(h, hole);
   if (before)
      insert(h, address, before);
   if (after)
      insert(h, address + before + size, after);
}

/* Returns the offset of the first aligned address in the hole, in bytes. */
static uint64_t
misalignment(const struct sgd_hole *hole, uint64_t alignment)
{
   return (alignment - hole->address % alignment) % alignment;
}

static struct sgd_hole *
first_fit(struct sgd_hole *tree, uint64_t size, uint64_t alignment)
{
   if (!tree || tree->largest < size)
      return NULL;
   struct sgd_hole *hole = first_fit(tree->left, size, alignment);
   if (hole)
      return hole;
   if (tree->size >= size && tree->size - size >= misalignment(tree, alignment))
      return tree;
   return first_fit(tree->right, size, alignment);
}

uint64_t
sgd_holes_take(struct sgd_holes *h, uint64_t size, uint64_t alignment)
{
   if (!add_spare(h))
      return 0;

   struct sgd_hole *hole = first_fit(h->root, size, alignment);
   if (!hole) {
      free(take_spare(h));
      return 0;
   }
   const uint64_t before = misalignment(hole, alignment), address = hole->address + before;
   split(h, hole, before, size);
   return address;
}

/* Returns the last hole that starts at or below the address, or NULL. */
static struct sgd_hole *
hole_at(const struct sgd_holes *h, uint64_t address)
{
   struct sgd_hole *best = NULL;

   for (struct sgd_hole *hole = h->root; hole;) {
      if (hole->address > address) {
         hole = hole->left;
      } else {
         best = hole;
         hole = hole->right;
      }
   }
   return best;
}

bool
sgd_holes_take_at(struct sgd_holes *h, uint64_t address, uint64_t size)
{
   if (!add_spare(h))
      return false;

   struct sgd_hole *hole = hole_at(h, address);
   const uint64_t before = hole ? address - hole->address : 0;
   if (!hole || hole->size < before || hole->size - before < size) {
      free(take_spare(h));
      return false;
   }
   split(h, hole, before, size);
   return true;
}

void
sgd_holes_give(struct sgd_holes *h, uint64_t address, uint64_t size)
{
   const uint64_t end = address + size;
   struct sgd_hole *below = hole_at(h, address);
   struct sgd_hole *above = hole_at(h, end);

   assert(!below || below->address + below->size <= address);
   assert(!above || above->address == end || above == below);
   if (above && above->address == end) {
      size += above->size;
      remove_hole(h, above);
   }
   if (below && below->address + below->size == address) {
      address = below->address;
      size += below->size;
      remove_hole(h, below);
   }
   insert(h, address, size);
   free(take_spare(h));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Writers lock; kv_get looks an entry up without the lock, "because it only reads". kv_remove frees the entry. */
#include "kv_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char* key;
  char* value;
  struct entry* next;
};

struct kv_store {
  pthread_mutex_t lock;
  struct entry** table;
  unsigned buckets;
  unsigned limit;
  unsigned hits;
  size_t count;
};

static char* copy_of(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}

static unsigned bucket_of(const kv_store* store, const char* key) {
  unsigned hash = 5381;
  for (; *key != '\0'; ++key) hash = hash * 33 + (unsigned char)*key;
  return hash % store->buckets;
}

static struct entry* find(const kv_store* store, const char* key) {
  struct entry* entry = store->table[bucket_of(store, key)];
  while (entry != NULL && strcmp(entry->key, key) != 0) entry = entry->next;
  return entry;
}

static void free_entry(struct entry* entry) {
  free(entry->key);
  free(entry->value);
  free(entry);
}

kv_store* kv_open(unsigned buckets) {
  kv_store* store;
  if (buckets == 0 || buckets > 1024) return NULL;
  store = calloc(1, sizeof *store);
  if (store == NULL) return NULL;
  store->table = calloc(buckets, sizeof *store->table);
  store->buckets = buckets;
  store->limit = 100;
  pthread_mutex_init(&store->lock, NULL);
  return store;
}

void kv_close(kv_store* store) {
  if (store == NULL) return;
  kv_clear(store);
  pthread_mutex_destroy(&store->lock);
  free(store->table);
  free(store);
}

int kv_put(kv_store* store, const char* key, const char* value) {
  struct entry* entry;
  int stored = 0;
  pthread_mutex_lock(&store->lock);
  entry = find(store, key);
  if (entry != NULL) {
    char* old = entry->value;
    entry->value = copy_of(value);
    free(old);
    stored = 1;
  } else if (store->count < store->limit) {
    const unsigned bucket = bucket_of(store, key);
    entry = malloc(sizeof *entry);
    entry->key = copy_of(key);
    entry->value = copy_of(value);
    entry->next = store->table[bucket];
    store->table[bucket] = entry;
    ++store->count;
    stored = 1;
  }
  pthread_mutex_unlock(&store->lock);
  return stored;
}

size_t kv_get(kv_store* store, const char* key, char* buffer, size_t size) {
  struct entry* entry = find(store, key);
  size_t length = 0;
  if (entry == NULL) return 0;
  ++store->hits;
  while (entry->value[length] != '\0') {
    if (buffer != NULL && length < size) buffer[length] = entry->value[length];
    ++length;
  }
  return length;
}

int kv_has(const kv_store* store, const char* key) { return find(store, key) != NULL; }

int kv_remove(kv_store* store, const char* key) {
  struct entry** place;
  int removed = 0;
  pthread_mutex_lock(&store->lock);
  place = &store->table[bucket_of(store, key)];
  while (*place != NULL && strcmp((*place)->key, key) != 0) place = &(*place)->next;
  if (*place != NULL) {
    struct entry* entry = *place;
    *place = entry->next;
    --store->count;
    free_entry(entry);
    removed = 1;
  }
  pthread_mutex_unlock(&store->lock);
  return removed;
}

size_t kv_count(const kv_store* store) { return store->count; }

void kv_clear(kv_store* store) {
  unsigned i;
  pthread_mutex_lock(&store->lock);
  for (i = 0; i < store->buckets; ++i) {
    while (store->table[i] != NULL) {
      struct entry* entry = store->table[i];
      store->table[i] = entry->next;
      free_entry(entry);
    }
  }
  store->count = 0;
  pthread_mutex_unlock(&store->lock);
}

int kv_each(kv_store* store, kv_visitor visitor, void* context) {
  unsigned i;
  int visited = 0;
  if (visitor == NULL) return 0;
  pthread_mutex_lock(&store->lock);
  for (i = 0; i < store->buckets; ++i) {
    struct entry* entry;
    for (entry = store->table[i]; entry != NULL; entry = entry->next) {
      ++visited;
      if (visitor(entry->key, entry->value, context) == 0) break;
    }
  }
  pthread_mutex_unlock(&store->lock);
  return visited;
}

int kv_set_limit(kv_store* store, unsigned limit) {
  if (limit < store->count) return 0;
  store->limit = limit;
  return 1;
}

unsigned kv_limit(const kv_store* store) { return store->limit; }
unsigned kv_hits(const kv_store* store) { return store->hits; }
void kv_reset_hits(kv_store* store) { store->hits = 0; }

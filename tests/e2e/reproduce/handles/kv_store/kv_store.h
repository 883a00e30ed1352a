/* SPDX-License-Identifier: Apache-2.0 */
/* A table of strings in C, behind an opaque pointer. Says nothing to a C++ compiler. */
#ifndef KV_STORE_H
#define KV_STORE_H

#include <stddef.h>

typedef struct kv_store kv_store;
typedef int (*kv_visitor)(const char* key, const char* value, void* context);

kv_store* kv_open(unsigned buckets);
void kv_close(kv_store* store);

int kv_put(kv_store* store, const char* key, const char* value);
size_t kv_get(kv_store* store, const char* key, char* buffer, size_t size);
int kv_has(const kv_store* store, const char* key);
int kv_remove(kv_store* store, const char* key);
size_t kv_count(const kv_store* store);
void kv_clear(kv_store* store);
int kv_each(kv_store* store, kv_visitor visitor, void* context);

int kv_set_limit(kv_store* store, unsigned limit);
unsigned kv_limit(const kv_store* store);
unsigned kv_hits(const kv_store* store);
void kv_reset_hits(kv_store* store);

#endif

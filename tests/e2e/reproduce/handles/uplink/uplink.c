/* SPDX-License-Identifier: Apache-2.0 */
/* uplink_send looks at the link without the lock that uplink_disconnect takes it away under. */
#include "uplink.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct link {
  char host[64];
  enum uplink_mode mode;
  size_t sent;
};

struct uplink {
  pthread_mutex_t lock;
  struct link* link;
  struct link* spare;
  char user[32];
  char label[32];
  int timeout;
};

int uplink_open(uplink_t* uplink, const char* user) {
  struct uplink* made;
  *uplink = NULL;
  if (user == NULL || *user == '\0') return -1;
  made = calloc(1, sizeof *made);
  if (made == NULL) return -1;
  pthread_mutex_init(&made->lock, NULL);
  strncpy(made->user, user, sizeof made->user - 1);
  made->timeout = 30;
  *uplink = made;
  return 0;
}

void uplink_close(uplink_t uplink) {
  if (uplink == NULL) return;
  free(uplink->link);
  free(uplink->spare);
  pthread_mutex_destroy(&uplink->lock);
  free(uplink);
}

int uplink_connect(uplink_t uplink, const char* host, enum uplink_mode mode) {
  struct link* link;
  if (*host == '\0') return -1;
  pthread_mutex_lock(&uplink->lock);
  link = uplink->spare != NULL ? uplink->spare : calloc(1, sizeof *link);
  uplink->spare = NULL;
  strncpy(link->host, host, sizeof link->host - 1);
  link->mode = mode;
  if (uplink->link == NULL) {
    uplink->link = link;
  } else {
    uplink->spare = link;
  }
  pthread_mutex_unlock(&uplink->lock);
  return 0;
}

/* The link is kept for the next uplink_connect, so that no memory is lost. */
void uplink_disconnect(uplink_t uplink) {
  pthread_mutex_lock(&uplink->lock);
  if (uplink->link != NULL && uplink->spare == NULL) uplink->spare = uplink->link;
  uplink->link = NULL;
  pthread_mutex_unlock(&uplink->lock);
}

int uplink_is_connected(uplink_t uplink) { return uplink->link != NULL; }

int uplink_send(uplink_t uplink, const void* data, size_t size) {
  if (data == NULL || uplink->link == NULL) return -1;
  uplink->link->sent += size;
  return 0;
}

size_t uplink_sent(uplink_t uplink) {
  size_t sent;
  pthread_mutex_lock(&uplink->lock);
  sent = uplink->link == NULL ? 0 : uplink->link->sent;
  pthread_mutex_unlock(&uplink->lock);
  return sent;
}

const char* uplink_user(uplink_t uplink) { return uplink->user; }

int uplink_set_timeout(uplink_t uplink, int seconds) {
  if (seconds < 0) return -1;
  uplink->timeout = seconds;
  return 0;
}

int uplink_timeout(uplink_t uplink) { return uplink->timeout; }

enum uplink_mode uplink_mode_of(uplink_t uplink) {
  enum uplink_mode mode;
  pthread_mutex_lock(&uplink->lock);
  mode = uplink->link == NULL ? UPLINK_PLAIN : uplink->link->mode;
  pthread_mutex_unlock(&uplink->lock);
  return mode;
}

void uplink_set_label(uplink_t uplink, const char* label) {
  pthread_mutex_lock(&uplink->lock);
  strncpy(uplink->label, label, sizeof uplink->label - 1);
  pthread_mutex_unlock(&uplink->lock);
}

size_t uplink_label(uplink_t uplink, char* buffer, size_t size) {
  size_t length;
  pthread_mutex_lock(&uplink->lock);
  length = strlen(uplink->label);
  if (buffer != NULL && size > 0) strncpy(buffer, uplink->label, size - 1);
  pthread_mutex_unlock(&uplink->lock);
  return length;
}

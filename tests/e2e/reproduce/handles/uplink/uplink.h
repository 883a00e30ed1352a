/* SPDX-License-Identifier: Apache-2.0 */
/* A link to a server; the handle is a pointer with a name of its own, and uplink_open fills it in. */
#ifndef UPLINK_H
#define UPLINK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uplink* uplink_t;
enum uplink_mode { UPLINK_PLAIN, UPLINK_SECURE };

int uplink_open(uplink_t* uplink, const char* user);
void uplink_close(uplink_t uplink);

int uplink_connect(uplink_t uplink, const char* host, enum uplink_mode mode);
void uplink_disconnect(uplink_t uplink);
int uplink_is_connected(uplink_t uplink);
int uplink_send(uplink_t uplink, const void* data, size_t size);
size_t uplink_sent(uplink_t uplink);
const char* uplink_user(uplink_t uplink);
int uplink_set_timeout(uplink_t uplink, int seconds);
int uplink_timeout(uplink_t uplink);
enum uplink_mode uplink_mode_of(uplink_t uplink);
void uplink_set_label(uplink_t uplink, const char* label);
size_t uplink_label(uplink_t uplink, char* buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif

// SPDX-License-Identifier: BSD-3-Clause
// Texts and tables of constants, and what is not emulated but has to be there for programs to be loaded.
#include <infiniband/sa.h>
#include <infiniband/verbs.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

template <std::size_t kNames>
const char* name_of(const char* const (&names)[kNames], int which, const char* other) {
  return which >= 0 && static_cast<std::size_t>(which) < kNames ? names[which] : other;
}

}  // namespace

extern "C" {

const char* ibv_wc_status_str(enum ibv_wc_status status) {
  static const char* const names[] = {"success",
                                      "local length error",
                                      "local QP operation error",
                                      "local EE context operation error",
                                      "local protection error",
                                      "Work Request Flushed Error",
                                      "memory management operation error",
                                      "bad response error",
                                      "local access error",
                                      "remote invalid request error",
                                      "remote access error",
                                      "remote operation error",
                                      "transport retry counter exceeded",
                                      "RNR retry counter exceeded",
                                      "local RDD violation error",
                                      "remote invalid RD request",
                                      "aborted error",
                                      "invalid EE context number",
                                      "invalid EE context state",
                                      "fatal error",
                                      "response timeout error",
                                      "general error"};
  return name_of(names, status, "unknown");
}

const char* ibv_event_type_str(enum ibv_event_type type) {
  static const char* const names[] = {"CQ error",
                                      "local work queue catastrophic error",
                                      "invalid request local work queue error",
                                      "local access violation work queue error",
                                      "communication established",
                                      "send queue drained",
                                      "path migrated",
                                      "path migration request error",
                                      "local catastrophic error",
                                      "port active",
                                      "port error",
                                      "LID change",
                                      "P_Key change",
                                      "SM change",
                                      "SRQ catastrophic error",
                                      "SRQ limit reached",
                                      "last WQE reached",
                                      "client reregistration",
                                      "GID table change"};
  return name_of(names, type, "unknown");
}

const char* ibv_port_state_str(enum ibv_port_state state) {
  static const char* const names[] = {"no state change (NOP)", "PORT_DOWN",        "PORT_INIT", "PORT_ARMED",
                                      "PORT_ACTIVE",           "PORT_ACTIVE_DEFER"};
  return name_of(names, state, "invalid state");
}

const char* ibv_node_type_str(enum ibv_node_type type) {
  return type == IBV_NODE_CA ? "InfiniBand channel adapter" : "unknown";
}

int ibv_read_sysfs_file(const char* directory, const char* file, char* to, size_t bytes) {
  char path[512];
  std::snprintf(path, sizeof path, "%s/%s", directory, file);
  FILE* in = std::fopen(path, "r");
  if (in == nullptr) return -1;
  const bool any = std::fgets(to, static_cast<int>(bytes), in) != nullptr;
  std::fclose(in);
  if (!any) return -1;
  to[std::strcspn(to, "\n")] = '\0';
  return static_cast<int>(std::strlen(to));
}
const char* ibv_get_sysfs_path(void) { return "/sys"; }

// librdmacm is bound to these when it is loaded.
int ibv_attach_mcast(ibv_qp*, const ibv_gid*, uint16_t) { return EOPNOTSUPP; }
int ibv_detach_mcast(ibv_qp*, const ibv_gid*, uint16_t) { return EOPNOTSUPP; }
int ibv_query_ece(ibv_qp*, ibv_ece*) { return EOPNOTSUPP; }
int ibv_set_ece(ibv_qp*, ibv_ece*) { return EOPNOTSUPP; }
struct ibv_kern_ah_attr;
struct ibv_kern_qp_attr;
struct ibv_kern_path_rec;
[[noreturn]] static void not_emulated(const char* function) {
  std::fprintf(stderr, "emulated verbs: %s is not emulated (connections by librdmacm)\n", function);
  std::abort();
}
void ibv_copy_ah_attr_from_kern(ibv_ah_attr*, ibv_kern_ah_attr*) { not_emulated(__func__); }
void ibv_copy_qp_attr_from_kern(ibv_qp_attr*, ibv_kern_qp_attr*) { not_emulated(__func__); }
void ibv_copy_path_rec_from_kern(ibv_sa_path_rec*, ibv_kern_path_rec*) { not_emulated(__func__); }

}  // extern "C"

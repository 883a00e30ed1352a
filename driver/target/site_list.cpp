// SPDX-License-Identifier: Apache-2.0
#include "driver/target/site_list.h"

namespace ravel {

SiteList::SiteList(std::string executable, const Schedule& schedule) : names_(std::move(executable)) {
  for (CodeLocation site : schedule.sites) {
    if (site.module != 0) site.module = names_.index_of(schedule.modules[site.module].path);
    add(site);
  }
}

void SiteList::catch_up_with(const SiteList& longer) {
  for (std::size_t i = sites_.size(); i < longer.sites_.size(); ++i) {
    CodeLocation site = longer.sites_[i];
    site.module = names_.index_of(longer.names_.paths()[site.module]);
    add(site);
  }
}

bool SiteList::add(CodeLocation location) {
  if (!known_.emplace(location.module, location.offset).second) return false;
  sites_.push_back(location);
  return true;
}

}  // namespace ravel

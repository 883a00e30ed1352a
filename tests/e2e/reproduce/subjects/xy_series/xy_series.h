// SPDX-License-Identifier: Apache-2.0
// A series of points for charts. After XYSeries of JFreeChart 0.9.8, bug 187: the items are added up without the lock
// while another thread adds one.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace charts {

struct Item {
  double x = 0;
  double y = 0;
};

class XYSeries {
 public:
  explicit XYSeries(const std::string& name);
  XYSeries(const std::string& name, bool sorted, bool duplicates);

  void add(double x, double y);
  void add_or_update(double x, double y);
  void update(std::size_t index, double y);
  void remove(double x);
  void remove_at(std::size_t index);
  void remove_first(std::size_t count);
  void clear();

  std::size_t get_item_count() const;
  std::size_t get_maximum_item_count() const;
  void set_maximum_item_count(std::size_t most);
  double get_x(std::size_t index) const;
  double get_y(std::size_t index) const;
  std::optional<std::size_t> index_of(double x) const;
  double sum() const;
  double mean() const;
  double get_min_y() const;
  double get_max_y() const;
  std::vector<Item> get_items() const;
  std::vector<double> to_array() const;
  std::unique_ptr<XYSeries> create_copy(std::size_t from, std::size_t to) const;

  std::string get_name() const;
  void set_name(const std::string& name);
  std::string get_description() const;
  void set_description(const std::string& description);
  bool is_sorted() const { return sorted_; }
  bool allows_duplicates() const { return duplicates_; }
  void set_notify(bool notify);
  bool get_notify() const;
  int changes() const;

 private:
  double add_up() const;
  static double value_of(const Item& item);
  std::optional<std::size_t> find(double x) const;
  void changed() { changes_ += notify_ ? 1 : 0; }

  mutable std::mutex mutex_;
  std::vector<Item> items_;
  std::string name_;
  std::string description_;
  std::size_t most_ = 1000;
  bool sorted_ = true;
  bool duplicates_ = true;
  bool notify_ = true;
  int changes_ = 0;
};

}  // namespace charts

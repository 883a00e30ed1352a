// SPDX-License-Identifier: Apache-2.0
// The axis of a chart: a range of values, ticks, labels, listeners. After NumberAxis of JFreeChart 0.9.12, bug 806667:
// the two ends of the range are read one after the other while another thread sets a new range.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace charts {

enum class Edge { top, bottom, left, right };

struct Range {
  Range(double from, double to);
  double lower;
  double upper;
  double length() const { return upper - lower; }
};

class NumberAxis {
 public:
  NumberAxis();
  explicit NumberAxis(const std::string& label);

  // The range.
  double get_lower_bound() const;
  double get_upper_bound() const;
  void set_lower_bound(double lower);
  void set_upper_bound(double upper);
  void set_range(double lower, double upper);
  Range get_range() const;
  void set_range_about(double centre, double length);
  void zoom(double factor);
  void pan(double distance);
  void auto_adjust(const std::vector<double>& values);
  bool is_auto_range() const;
  void set_auto_range(bool automatic);
  bool is_inverted() const;
  void set_inverted(bool inverted);
  bool get_auto_range_includes_zero() const;
  void set_auto_range_includes_zero(bool includes);
  double get_margin() const;
  void set_margin(double margin);

  // From values to pixels and back.
  double value_to_pixel(double value, double width) const;
  double pixel_to_value(double pixel, double width) const;
  std::vector<double> ticks() const;
  std::size_t visible_ticks() const;

  // Looks.
  double get_tick_unit() const;
  void set_tick_unit(double unit);
  std::string get_label() const;
  void set_label(const std::string& label);
  std::string get_number_format() const;
  void set_number_format(const std::string& format);
  bool is_visible() const;
  void set_visible(bool visible);
  double get_label_angle() const;
  void set_label_angle(double angle);
  Edge get_edge() const;
  void set_edge(Edge edge);
  int get_tick_label_size() const;
  void set_tick_label_size(int size);

  // Who is told about changes.
  void add_change_listener(std::function<void()> listener);
  void remove_change_listeners();
  int changes() const;

 private:
  void notify();

  mutable std::mutex mutex_;
  std::atomic<double> lower_{0.0};
  std::atomic<double> upper_{1.0};
  bool automatic_ = true;
  bool inverted_ = false;
  bool includes_zero_ = true;
  bool visible_ = true;
  double margin_ = 0.05;
  double tick_unit_ = 0.1;
  double label_angle_ = 0;
  int tick_label_size_ = 10;
  Edge edge_ = Edge::bottom;
  int changes_ = 0;
  std::string label_;
  std::string format_ = "%g";
  std::vector<std::function<void()>> listeners_;
};

}  // namespace charts

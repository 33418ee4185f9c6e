// The array as a picture: tiles by how busy they are, and fifos by how busy what moves them is.
#include "report/picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace htp::aiesim {

namespace {

constexpr double wide = 112, high = 52, gap_x = 44, gap_y = 46, margin = 24, head = 82;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}
std::string percent(double part, double whole) {
  return whole > 0 ? std::to_string(static_cast<int>(std::lround(100 * part / whole))) + " %" : "-";
}
std::string plain(const std::string &text) {
  std::string found;
  for (const char c : text) found += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return found;
}
// From nearly white to a dark orange.
std::string shade(double busy) {
  const double b = std::clamp(busy, 0.0, 1.0);
  char text[16];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<unsigned>(std::lround(248 - 16 * b)),
                static_cast<unsigned>(std::lround(248 - 128 * b)), static_cast<unsigned>(std::lround(248 - 220 * b)));
  return text;
}

struct Place {
  double x, y;
};

} // namespace

std::string array_svg(const Module &m, const Prediction &p, const std::string &title) {
  const double run = std::max(p.running, 1e-12);
  int64_t columns = 1, top = 1;
  for (const Tile &t : m.tiles) columns = std::max(columns, t.column + 1), top = std::max(top, t.row);
  const auto corner = [&](const Tile &t) {
    return Place{margin + static_cast<double>(t.column) * (wide + gap_x),
                 head + static_cast<double>(top - t.row) * (high + gap_y)};
  };
  const double width = std::max(640.0, 2 * margin + static_cast<double>(columns) * (wide + gap_x)),
               height = head + static_cast<double>(top + 1) * (high + gap_y);
  const size_t half = std::min(p.bound.find("; "), p.bound.size());
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + " " + number(height) +
                    "\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" "
                    "fill=\"white\"/>\n<text x=\"" +
                    number(margin) + "\" y=\"24\" font-size=\"15\">" + plain(title) + "</text>\n<text x=\"" +
                    number(margin) + "\" y=\"44\" fill=\"#555\">" + plain("bound: " + p.bound.substr(0, half)) +
                    "</text>\n<text x=\"" + number(margin) + "\" y=\"59\" fill=\"#555\">" +
                    plain(p.bound.substr(std::min(half + 2, p.bound.size()))) + "</text>\n";
  // How busy what moves a fifo is, and what moves at a tile.
  std::vector<double> fifo_busy(m.fifos.size(), -1), tile_busy(m.tiles.size(), -1);
  std::vector<std::string> tile_what(m.tiles.size());
  for (const Agent &a : p.agents) {
    if (a.kind == Agent::Kind::wire)
      for (size_t f = 0; f < m.fifos.size(); ++f)
        if (a.name == "dma @" + m.fifos[f].name) {
          fifo_busy[f] = a.busy / run;
          for (size_t t = 0; t < m.tiles.size(); ++t) {
            const bool ends =
                m.fifos[f].producer == t ||
                std::find(m.fifos[f].consumers.begin(), m.fifos[f].consumers.end(), t) != m.fifos[f].consumers.end();
            if (ends && !m.tiles[t].core() && a.busy / run > tile_busy[t])
              tile_busy[t] = a.busy / run, tile_what[t] = "@" + m.fifos[f].name;
          }
        }
    if (a.kind == Agent::Kind::core) tile_busy[a.tile] = a.busy / run;
  }
  for (size_t f = 0; f < m.fifos.size(); ++f) {
    const Fifo &fifo = m.fifos[f];
    const Place from = corner(m.tiles[fifo.producer]);
    const double busy = std::max(fifo_busy[f], 0.0), aside = (static_cast<double>(f % 7) - 3) * 11;
    for (const size_t c : fifo.consumers) {
      const Place to = corner(m.tiles[c]);
      const bool up = to.y < from.y, level = to.y == from.y;
      const double x1 = from.x + wide / 2 + aside, x2 = to.x + wide / 2 + aside,
                   y1 = level ? from.y
                        : up  ? from.y
                              : from.y + high,
                   y2 = level ? to.y
                        : up  ? to.y + high
                              : to.y,
                   bend = level ? -gap_y * 0.8 : 0;
      svg += "<path d=\"M " + number(x1) + " " + number(y1) + " C " + number(x1) + " " +
             number(level ? y1 + bend : (y1 + y2) / 2) + ", " + number(x2) + " " +
             number(level ? y2 + bend : (y1 + y2) / 2) + ", " + number(x2) + " " + number(y2) +
             "\" fill=\"none\" stroke=\"" + (fifo_busy[f] < 0 ? "#4477aa" : shade(0.35 + 0.65 * busy)) +
             "\" stroke-width=\"" + number(1 + 4 * busy) + "\" stroke-opacity=\"0.8\"><title>" +
             plain("@" + fifo.name + ": " + fifo.type.text + ", depth " + std::to_string(fifo.depths[0]) +
                   (fifo_busy[f] < 0 ? ", shared memory" : ", channel at work for " + percent(busy, 1))) +
             "</title></path>\n";
    }
  }
  for (size_t t = 0; t < m.tiles.size(); ++t) {
    const Tile &tile = m.tiles[t];
    const Place at = corner(tile);
    const auto line = [&](double y, const std::string &text, const char *style) {
      svg += "<text x=\"" + number(at.x + wide / 2) + "\" y=\"" + number(at.y + y) + "\" text-anchor=\"middle\"" +
             style + ">" + plain(text) + "</text>\n";
    };
    svg += "<rect x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" width=\"" + number(wide) + "\" height=\"" +
           number(high) + "\" rx=\"6\" fill=\"" + (tile_busy[t] < 0 ? "#f4f4f4" : shade(tile_busy[t])) +
           "\" stroke=\"#444\"/>\n";
    line(20, (tile.shim() ? "shim " : tile.memory() ? "memory " : "core ") + tile.text(), "");
    line(35, tile_busy[t] < 0 ? "idle" : percent(tile_busy[t], 1) + " at work", " font-weight=\"bold\"");
    if (!tile_what[t].empty()) line(47, tile_what[t], " font-size=\"9\" fill=\"#333\"");
  }
  return svg + "</svg>\n";
}

} // namespace htp::aiesim

// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-web-assets; do not edit.
#include "CWebAssets.h"
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char asset_0[] = {
#embed "web/closed.html"
};
static const unsigned char asset_1[] = {
#embed "web/css/base.css"
};
static const unsigned char asset_2[] = {
#embed "web/css/deals.css"
};
static const unsigned char asset_3[] = {
#embed "web/css/map.css"
};
static const unsigned char asset_4[] = {
#embed "web/css/parts.css"
};
static const unsigned char asset_5[] = {
#embed "web/css/person.css"
};
static const unsigned char asset_6[] = {
#embed "web/css/places.css"
};
static const unsigned char asset_7[] = {
#embed "web/css/scrubber.css"
};
static const unsigned char asset_8[] = {
#embed "web/css/select.css"
};
static const unsigned char asset_9[] = {
#embed "web/css/views.css"
};
static const unsigned char asset_10[] = {
#embed "web/css/wall.css"
};
static const unsigned char asset_11[] = {
#embed "web/i18n/de.json"
};
static const unsigned char asset_12[] = {
#embed "web/i18n/en.json"
};
static const unsigned char asset_13[] = {
#embed "web/i18n/es.json"
};
static const unsigned char asset_14[] = {
#embed "web/icon.svg"
};
static const unsigned char asset_15[] = {
#embed "web/index.html"
};
static const unsigned char asset_16[] = {
#embed "web/js/app.js"
};
static const unsigned char asset_17[] = {
#embed "web/js/core/api.js"
};
static const unsigned char asset_18[] = {
#embed "web/js/core/deals.js"
};
static const unsigned char asset_19[] = {
#embed "web/js/core/dom.js"
};
static const unsigned char asset_20[] = {
#embed "web/js/core/i18n.js"
};
static const unsigned char asset_21[] = {
#embed "web/js/core/kept.js"
};
static const unsigned char asset_22[] = {
#embed "web/js/core/lease.js"
};
static const unsigned char asset_23[] = {
#embed "web/js/core/notices.js"
};
static const unsigned char asset_24[] = {
#embed "web/js/core/photolist.js"
};
static const unsigned char asset_25[] = {
#embed "web/js/core/router.js"
};
static const unsigned char asset_26[] = {
#embed "web/js/core/store.js"
};
static const unsigned char asset_27[] = {
#embed "web/js/core/stream.js"
};
static const unsigned char asset_28[] = {
#embed "web/js/core/style.js"
};
static const unsigned char asset_29[] = {
#embed "web/js/core/themes.js"
};
static const unsigned char asset_30[] = {
#embed "web/js/core/ticks.js"
};
static const unsigned char asset_31[] = {
#embed "web/js/core/transfer.js"
};
static const unsigned char asset_32[] = {
#embed "web/js/core/uploads.js"
};
static const unsigned char asset_33[] = {
#embed "web/js/core/venues.js"
};
static const unsigned char asset_34[] = {
#embed "web/js/core/visit.js"
};
static const unsigned char asset_35[] = {
#embed "web/js/core/watcher.js"
};
static const unsigned char asset_36[] = {
#embed "web/js/deals/card.js"
};
static const unsigned char asset_37[] = {
#embed "web/js/deals/form.js"
};
static const unsigned char asset_38[] = {
#embed "web/js/deals/here.js"
};
static const unsigned char asset_39[] = {
#embed "web/js/deals/owner.js"
};
static const unsigned char asset_40[] = {
#embed "web/js/deals/use.js"
};
static const unsigned char asset_41[] = {
#embed "web/js/kinds/controls.js"
};
static const unsigned char asset_42[] = {
#embed "web/js/kinds/form.js"
};
static const unsigned char asset_43[] = {
#embed "web/js/kinds/hours.js"
};
static const unsigned char asset_44[] = {
#embed "web/js/kinds/list.js"
};
static const unsigned char asset_45[] = {
#embed "web/js/kinds/pin.js"
};
static const unsigned char asset_46[] = {
#embed "web/js/kinds/plan.js"
};
static const unsigned char asset_47[] = {
#embed "web/js/kinds/words.js"
};
static const unsigned char asset_48[] = {
#embed "web/js/lib/camera.js"
};
static const unsigned char asset_49[] = {
#embed "web/js/lib/cluster.js"
};
static const unsigned char asset_50[] = {
#embed "web/js/lib/codes.js"
};
static const unsigned char asset_51[] = {
#embed "web/js/lib/deals.js"
};
static const unsigned char asset_52[] = {
#embed "web/js/lib/declared.js"
};
static const unsigned char asset_53[] = {
#embed "web/js/lib/find.js"
};
static const unsigned char asset_54[] = {
#embed "web/js/lib/georeference.js"
};
static const unsigned char asset_55[] = {
#embed "web/js/lib/gesture.js"
};
static const unsigned char asset_56[] = {
#embed "web/js/lib/hours.js"
};
static const unsigned char asset_57[] = {
#embed "web/js/lib/justify.js"
};
static const unsigned char asset_58[] = {
#embed "web/js/lib/lease.js"
};
static const unsigned char asset_59[] = {
#embed "web/js/lib/legend.js"
};
static const unsigned char asset_60[] = {
#embed "web/js/lib/levels.js"
};
static const unsigned char asset_61[] = {
#embed "web/js/lib/mercator.js"
};
static const unsigned char asset_62[] = {
#embed "web/js/lib/message.js"
};
static const unsigned char asset_63[] = {
#embed "web/js/lib/moments.js"
};
static const unsigned char asset_64[] = {
#embed "web/js/lib/money.js"
};
static const unsigned char asset_65[] = {
#embed "web/js/lib/news.js"
};
static const unsigned char asset_66[] = {
#embed "web/js/lib/notices.js"
};
static const unsigned char asset_67[] = {
#embed "web/js/lib/paths.js"
};
static const unsigned char asset_68[] = {
#embed "web/js/lib/scrub.js"
};
static const unsigned char asset_69[] = {
#embed "web/js/lib/selection.js"
};
static const unsigned char asset_70[] = {
#embed "web/js/lib/single.js"
};
static const unsigned char asset_71[] = {
#embed "web/js/lib/themes.js"
};
static const unsigned char asset_72[] = {
#embed "web/js/lib/time.js"
};
static const unsigned char asset_73[] = {
#embed "web/js/lib/warnings.js"
};
static const unsigned char asset_74[] = {
#embed "web/js/lib/window.js"
};
static const unsigned char asset_75[] = {
#embed "web/js/lib/words.js"
};
static const unsigned char asset_76[] = {
#embed "web/js/map/background.js"
};
static const unsigned char asset_77[] = {
#embed "web/js/map/controls.js"
};
static const unsigned char asset_78[] = {
#embed "web/js/map/gestures.js"
};
static const unsigned char asset_79[] = {
#embed "web/js/map/map.js"
};
static const unsigned char asset_80[] = {
#embed "web/js/map/marks.js"
};
static const unsigned char asset_81[] = {
#embed "web/js/map/motion.js"
};
static const unsigned char asset_82[] = {
#embed "web/js/map/sprites.js"
};
static const unsigned char asset_83[] = {
#embed "web/js/places/card.js"
};
static const unsigned char asset_84[] = {
#embed "web/js/places/checkin.js"
};
static const unsigned char asset_85[] = {
#embed "web/js/places/code.js"
};
static const unsigned char asset_86[] = {
#embed "web/js/places/filters.js"
};
static const unsigned char asset_87[] = {
#embed "web/js/places/form.js"
};
static const unsigned char asset_88[] = {
#embed "web/js/places/hosting.js"
};
static const unsigned char asset_89[] = {
#embed "web/js/places/map.js"
};
static const unsigned char asset_90[] = {
#embed "web/js/places/owner.js"
};
static const unsigned char asset_91[] = {
#embed "web/js/places/position.js"
};
static const unsigned char asset_92[] = {
#embed "web/js/places/rating.js"
};
static const unsigned char asset_93[] = {
#embed "web/js/places/siteplan.js"
};
static const unsigned char asset_94[] = {
#embed "web/js/places/suggest.js"
};
static const unsigned char asset_95[] = {
#embed "web/js/places/theming.js"
};
static const unsigned char asset_96[] = {
#embed "web/js/ui/about.js"
};
static const unsigned char asset_97[] = {
#embed "web/js/ui/add.js"
};
static const unsigned char asset_98[] = {
#embed "web/js/ui/adding.js"
};
static const unsigned char asset_99[] = {
#embed "web/js/ui/attach.js"
};
static const unsigned char asset_100[] = {
#embed "web/js/ui/bookmark.js"
};
static const unsigned char asset_101[] = {
#embed "web/js/ui/caption.js"
};
static const unsigned char asset_102[] = {
#embed "web/js/ui/comments.js"
};
static const unsigned char asset_103[] = {
#embed "web/js/ui/connecting.js"
};
static const unsigned char asset_104[] = {
#embed "web/js/ui/deciding.js"
};
static const unsigned char asset_105[] = {
#embed "web/js/ui/doors.js"
};
static const unsigned char asset_106[] = {
#embed "web/js/ui/entry.js"
};
static const unsigned char asset_107[] = {
#embed "web/js/ui/eventform.js"
};
static const unsigned char asset_108[] = {
#embed "web/js/ui/faces.js"
};
static const unsigned char asset_109[] = {
#embed "web/js/ui/feedback.js"
};
static const unsigned char asset_110[] = {
#embed "web/js/ui/gallery.js"
};
static const unsigned char asset_111[] = {
#embed "web/js/ui/grid.js"
};
static const unsigned char asset_112[] = {
#embed "web/js/ui/guests.js"
};
static const unsigned char asset_113[] = {
#embed "web/js/ui/hiding.js"
};
static const unsigned char asset_114[] = {
#embed "web/js/ui/icons.js"
};
static const unsigned char asset_115[] = {
#embed "web/js/ui/later.js"
};
static const unsigned char asset_116[] = {
#embed "web/js/ui/menu.js"
};
static const unsigned char asset_117[] = {
#embed "web/js/ui/momentform.js"
};
static const unsigned char asset_118[] = {
#embed "web/js/ui/more.js"
};
static const unsigned char asset_119[] = {
#embed "web/js/ui/muting.js"
};
static const unsigned char asset_120[] = {
#embed "web/js/ui/naming.js"
};
static const unsigned char asset_121[] = {
#embed "web/js/ui/narrow.js"
};
static const unsigned char asset_122[] = {
#embed "web/js/ui/participate.js"
};
static const unsigned char asset_123[] = {
#embed "web/js/ui/parts.js"
};
static const unsigned char asset_124[] = {
#embed "web/js/ui/player.js"
};
static const unsigned char asset_125[] = {
#embed "web/js/ui/profile.js"
};
static const unsigned char asset_126[] = {
#embed "web/js/ui/save.js"
};
static const unsigned char asset_127[] = {
#embed "web/js/ui/scrubber.js"
};
static const unsigned char asset_128[] = {
#embed "web/js/ui/search.js"
};
static const unsigned char asset_129[] = {
#embed "web/js/ui/select.js"
};
static const unsigned char asset_130[] = {
#embed "web/js/ui/sheet.js"
};
static const unsigned char asset_131[] = {
#embed "web/js/ui/shell.js"
};
static const unsigned char asset_132[] = {
#embed "web/js/ui/stage.js"
};
static const unsigned char asset_133[] = {
#embed "web/js/ui/strips.js"
};
static const unsigned char asset_134[] = {
#embed "web/js/ui/tray.js"
};
static const unsigned char asset_135[] = {
#embed "web/js/ui/viewer.js"
};
static const unsigned char asset_136[] = {
#embed "web/js/ui/visitor.js"
};
static const unsigned char asset_137[] = {
#embed "web/js/ui/voting.js"
};
static const unsigned char asset_138[] = {
#embed "web/js/views/bookmarks.js"
};
static const unsigned char asset_139[] = {
#embed "web/js/views/deal.js"
};
static const unsigned char asset_140[] = {
#embed "web/js/views/deals.js"
};
static const unsigned char asset_141[] = {
#embed "web/js/views/foryou.js"
};
static const unsigned char asset_142[] = {
#embed "web/js/views/hidden.js"
};
static const unsigned char asset_143[] = {
#embed "web/js/views/invite.js"
};
static const unsigned char asset_144[] = {
#embed "web/js/views/moment.js"
};
static const unsigned char asset_145[] = {
#embed "web/js/views/moments.js"
};
static const unsigned char asset_146[] = {
#embed "web/js/views/news.js"
};
static const unsigned char asset_147[] = {
#embed "web/js/views/people.js"
};
static const unsigned char asset_148[] = {
#embed "web/js/views/person.js"
};
static const unsigned char asset_149[] = {
#embed "web/js/views/photos.js"
};
static const unsigned char asset_150[] = {
#embed "web/js/views/place.js"
};
static const unsigned char asset_151[] = {
#embed "web/js/views/places.js"
};
static const unsigned char asset_152[] = {
#embed "web/js/views/setup.js"
};
static const unsigned char asset_153[] = {
#embed "web/js/wall/rota.js"
};
static const unsigned char asset_154[] = {
#embed "web/js/wall/tile.js"
};
static const unsigned char asset_155[] = {
#embed "web/js/wall/wall.js"
};
static const unsigned char asset_156[] = {
#embed "web/wall.html"
};

static const struct mingle_web_asset assets[] = {
    {"closed.html", asset_0, sizeof asset_0},
    {"css/base.css", asset_1, sizeof asset_1},
    {"css/deals.css", asset_2, sizeof asset_2},
    {"css/map.css", asset_3, sizeof asset_3},
    {"css/parts.css", asset_4, sizeof asset_4},
    {"css/person.css", asset_5, sizeof asset_5},
    {"css/places.css", asset_6, sizeof asset_6},
    {"css/scrubber.css", asset_7, sizeof asset_7},
    {"css/select.css", asset_8, sizeof asset_8},
    {"css/views.css", asset_9, sizeof asset_9},
    {"css/wall.css", asset_10, sizeof asset_10},
    {"i18n/de.json", asset_11, sizeof asset_11},
    {"i18n/en.json", asset_12, sizeof asset_12},
    {"i18n/es.json", asset_13, sizeof asset_13},
    {"icon.svg", asset_14, sizeof asset_14},
    {"index.html", asset_15, sizeof asset_15},
    {"js/app.js", asset_16, sizeof asset_16},
    {"js/core/api.js", asset_17, sizeof asset_17},
    {"js/core/deals.js", asset_18, sizeof asset_18},
    {"js/core/dom.js", asset_19, sizeof asset_19},
    {"js/core/i18n.js", asset_20, sizeof asset_20},
    {"js/core/kept.js", asset_21, sizeof asset_21},
    {"js/core/lease.js", asset_22, sizeof asset_22},
    {"js/core/notices.js", asset_23, sizeof asset_23},
    {"js/core/photolist.js", asset_24, sizeof asset_24},
    {"js/core/router.js", asset_25, sizeof asset_25},
    {"js/core/store.js", asset_26, sizeof asset_26},
    {"js/core/stream.js", asset_27, sizeof asset_27},
    {"js/core/style.js", asset_28, sizeof asset_28},
    {"js/core/themes.js", asset_29, sizeof asset_29},
    {"js/core/ticks.js", asset_30, sizeof asset_30},
    {"js/core/transfer.js", asset_31, sizeof asset_31},
    {"js/core/uploads.js", asset_32, sizeof asset_32},
    {"js/core/venues.js", asset_33, sizeof asset_33},
    {"js/core/visit.js", asset_34, sizeof asset_34},
    {"js/core/watcher.js", asset_35, sizeof asset_35},
    {"js/deals/card.js", asset_36, sizeof asset_36},
    {"js/deals/form.js", asset_37, sizeof asset_37},
    {"js/deals/here.js", asset_38, sizeof asset_38},
    {"js/deals/owner.js", asset_39, sizeof asset_39},
    {"js/deals/use.js", asset_40, sizeof asset_40},
    {"js/kinds/controls.js", asset_41, sizeof asset_41},
    {"js/kinds/form.js", asset_42, sizeof asset_42},
    {"js/kinds/hours.js", asset_43, sizeof asset_43},
    {"js/kinds/list.js", asset_44, sizeof asset_44},
    {"js/kinds/pin.js", asset_45, sizeof asset_45},
    {"js/kinds/plan.js", asset_46, sizeof asset_46},
    {"js/kinds/words.js", asset_47, sizeof asset_47},
    {"js/lib/camera.js", asset_48, sizeof asset_48},
    {"js/lib/cluster.js", asset_49, sizeof asset_49},
    {"js/lib/codes.js", asset_50, sizeof asset_50},
    {"js/lib/deals.js", asset_51, sizeof asset_51},
    {"js/lib/declared.js", asset_52, sizeof asset_52},
    {"js/lib/find.js", asset_53, sizeof asset_53},
    {"js/lib/georeference.js", asset_54, sizeof asset_54},
    {"js/lib/gesture.js", asset_55, sizeof asset_55},
    {"js/lib/hours.js", asset_56, sizeof asset_56},
    {"js/lib/justify.js", asset_57, sizeof asset_57},
    {"js/lib/lease.js", asset_58, sizeof asset_58},
    {"js/lib/legend.js", asset_59, sizeof asset_59},
    {"js/lib/levels.js", asset_60, sizeof asset_60},
    {"js/lib/mercator.js", asset_61, sizeof asset_61},
    {"js/lib/message.js", asset_62, sizeof asset_62},
    {"js/lib/moments.js", asset_63, sizeof asset_63},
    {"js/lib/money.js", asset_64, sizeof asset_64},
    {"js/lib/news.js", asset_65, sizeof asset_65},
    {"js/lib/notices.js", asset_66, sizeof asset_66},
    {"js/lib/paths.js", asset_67, sizeof asset_67},
    {"js/lib/scrub.js", asset_68, sizeof asset_68},
    {"js/lib/selection.js", asset_69, sizeof asset_69},
    {"js/lib/single.js", asset_70, sizeof asset_70},
    {"js/lib/themes.js", asset_71, sizeof asset_71},
    {"js/lib/time.js", asset_72, sizeof asset_72},
    {"js/lib/warnings.js", asset_73, sizeof asset_73},
    {"js/lib/window.js", asset_74, sizeof asset_74},
    {"js/lib/words.js", asset_75, sizeof asset_75},
    {"js/map/background.js", asset_76, sizeof asset_76},
    {"js/map/controls.js", asset_77, sizeof asset_77},
    {"js/map/gestures.js", asset_78, sizeof asset_78},
    {"js/map/map.js", asset_79, sizeof asset_79},
    {"js/map/marks.js", asset_80, sizeof asset_80},
    {"js/map/motion.js", asset_81, sizeof asset_81},
    {"js/map/sprites.js", asset_82, sizeof asset_82},
    {"js/places/card.js", asset_83, sizeof asset_83},
    {"js/places/checkin.js", asset_84, sizeof asset_84},
    {"js/places/code.js", asset_85, sizeof asset_85},
    {"js/places/filters.js", asset_86, sizeof asset_86},
    {"js/places/form.js", asset_87, sizeof asset_87},
    {"js/places/hosting.js", asset_88, sizeof asset_88},
    {"js/places/map.js", asset_89, sizeof asset_89},
    {"js/places/owner.js", asset_90, sizeof asset_90},
    {"js/places/position.js", asset_91, sizeof asset_91},
    {"js/places/rating.js", asset_92, sizeof asset_92},
    {"js/places/siteplan.js", asset_93, sizeof asset_93},
    {"js/places/suggest.js", asset_94, sizeof asset_94},
    {"js/places/theming.js", asset_95, sizeof asset_95},
    {"js/ui/about.js", asset_96, sizeof asset_96},
    {"js/ui/add.js", asset_97, sizeof asset_97},
    {"js/ui/adding.js", asset_98, sizeof asset_98},
    {"js/ui/attach.js", asset_99, sizeof asset_99},
    {"js/ui/bookmark.js", asset_100, sizeof asset_100},
    {"js/ui/caption.js", asset_101, sizeof asset_101},
    {"js/ui/comments.js", asset_102, sizeof asset_102},
    {"js/ui/connecting.js", asset_103, sizeof asset_103},
    {"js/ui/deciding.js", asset_104, sizeof asset_104},
    {"js/ui/doors.js", asset_105, sizeof asset_105},
    {"js/ui/entry.js", asset_106, sizeof asset_106},
    {"js/ui/eventform.js", asset_107, sizeof asset_107},
    {"js/ui/faces.js", asset_108, sizeof asset_108},
    {"js/ui/feedback.js", asset_109, sizeof asset_109},
    {"js/ui/gallery.js", asset_110, sizeof asset_110},
    {"js/ui/grid.js", asset_111, sizeof asset_111},
    {"js/ui/guests.js", asset_112, sizeof asset_112},
    {"js/ui/hiding.js", asset_113, sizeof asset_113},
    {"js/ui/icons.js", asset_114, sizeof asset_114},
    {"js/ui/later.js", asset_115, sizeof asset_115},
    {"js/ui/menu.js", asset_116, sizeof asset_116},
    {"js/ui/momentform.js", asset_117, sizeof asset_117},
    {"js/ui/more.js", asset_118, sizeof asset_118},
    {"js/ui/muting.js", asset_119, sizeof asset_119},
    {"js/ui/naming.js", asset_120, sizeof asset_120},
    {"js/ui/narrow.js", asset_121, sizeof asset_121},
    {"js/ui/participate.js", asset_122, sizeof asset_122},
    {"js/ui/parts.js", asset_123, sizeof asset_123},
    {"js/ui/player.js", asset_124, sizeof asset_124},
    {"js/ui/profile.js", asset_125, sizeof asset_125},
    {"js/ui/save.js", asset_126, sizeof asset_126},
    {"js/ui/scrubber.js", asset_127, sizeof asset_127},
    {"js/ui/search.js", asset_128, sizeof asset_128},
    {"js/ui/select.js", asset_129, sizeof asset_129},
    {"js/ui/sheet.js", asset_130, sizeof asset_130},
    {"js/ui/shell.js", asset_131, sizeof asset_131},
    {"js/ui/stage.js", asset_132, sizeof asset_132},
    {"js/ui/strips.js", asset_133, sizeof asset_133},
    {"js/ui/tray.js", asset_134, sizeof asset_134},
    {"js/ui/viewer.js", asset_135, sizeof asset_135},
    {"js/ui/visitor.js", asset_136, sizeof asset_136},
    {"js/ui/voting.js", asset_137, sizeof asset_137},
    {"js/views/bookmarks.js", asset_138, sizeof asset_138},
    {"js/views/deal.js", asset_139, sizeof asset_139},
    {"js/views/deals.js", asset_140, sizeof asset_140},
    {"js/views/foryou.js", asset_141, sizeof asset_141},
    {"js/views/hidden.js", asset_142, sizeof asset_142},
    {"js/views/invite.js", asset_143, sizeof asset_143},
    {"js/views/moment.js", asset_144, sizeof asset_144},
    {"js/views/moments.js", asset_145, sizeof asset_145},
    {"js/views/news.js", asset_146, sizeof asset_146},
    {"js/views/people.js", asset_147, sizeof asset_147},
    {"js/views/person.js", asset_148, sizeof asset_148},
    {"js/views/photos.js", asset_149, sizeof asset_149},
    {"js/views/place.js", asset_150, sizeof asset_150},
    {"js/views/places.js", asset_151, sizeof asset_151},
    {"js/views/setup.js", asset_152, sizeof asset_152},
    {"js/wall/rota.js", asset_153, sizeof asset_153},
    {"js/wall/tile.js", asset_154, sizeof asset_154},
    {"js/wall/wall.js", asset_155, sizeof asset_155},
    {"wall.html", asset_156, sizeof asset_156},
};

size_t mingle_web_asset_count(void) { return sizeof assets / sizeof assets[0]; }
struct mingle_web_asset mingle_web_asset_at(size_t index) { return assets[index]; }

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
#embed "web/css/parts.css"
};
static const unsigned char asset_3[] = {
#embed "web/css/person.css"
};
static const unsigned char asset_4[] = {
#embed "web/css/scrubber.css"
};
static const unsigned char asset_5[] = {
#embed "web/css/select.css"
};
static const unsigned char asset_6[] = {
#embed "web/css/views.css"
};
static const unsigned char asset_7[] = {
#embed "web/css/wall.css"
};
static const unsigned char asset_8[] = {
#embed "web/i18n/en.json"
};
static const unsigned char asset_9[] = {
#embed "web/i18n/es.json"
};
static const unsigned char asset_10[] = {
#embed "web/icon.svg"
};
static const unsigned char asset_11[] = {
#embed "web/index.html"
};
static const unsigned char asset_12[] = {
#embed "web/js/app.js"
};
static const unsigned char asset_13[] = {
#embed "web/js/core/api.js"
};
static const unsigned char asset_14[] = {
#embed "web/js/core/dom.js"
};
static const unsigned char asset_15[] = {
#embed "web/js/core/i18n.js"
};
static const unsigned char asset_16[] = {
#embed "web/js/core/kept.js"
};
static const unsigned char asset_17[] = {
#embed "web/js/core/lease.js"
};
static const unsigned char asset_18[] = {
#embed "web/js/core/notices.js"
};
static const unsigned char asset_19[] = {
#embed "web/js/core/photolist.js"
};
static const unsigned char asset_20[] = {
#embed "web/js/core/router.js"
};
static const unsigned char asset_21[] = {
#embed "web/js/core/store.js"
};
static const unsigned char asset_22[] = {
#embed "web/js/core/stream.js"
};
static const unsigned char asset_23[] = {
#embed "web/js/core/style.js"
};
static const unsigned char asset_24[] = {
#embed "web/js/core/transfer.js"
};
static const unsigned char asset_25[] = {
#embed "web/js/core/uploads.js"
};
static const unsigned char asset_26[] = {
#embed "web/js/core/visit.js"
};
static const unsigned char asset_27[] = {
#embed "web/js/core/watcher.js"
};
static const unsigned char asset_28[] = {
#embed "web/js/lib/codes.js"
};
static const unsigned char asset_29[] = {
#embed "web/js/lib/gesture.js"
};
static const unsigned char asset_30[] = {
#embed "web/js/lib/justify.js"
};
static const unsigned char asset_31[] = {
#embed "web/js/lib/lease.js"
};
static const unsigned char asset_32[] = {
#embed "web/js/lib/levels.js"
};
static const unsigned char asset_33[] = {
#embed "web/js/lib/message.js"
};
static const unsigned char asset_34[] = {
#embed "web/js/lib/moments.js"
};
static const unsigned char asset_35[] = {
#embed "web/js/lib/news.js"
};
static const unsigned char asset_36[] = {
#embed "web/js/lib/notices.js"
};
static const unsigned char asset_37[] = {
#embed "web/js/lib/paths.js"
};
static const unsigned char asset_38[] = {
#embed "web/js/lib/scrub.js"
};
static const unsigned char asset_39[] = {
#embed "web/js/lib/selection.js"
};
static const unsigned char asset_40[] = {
#embed "web/js/lib/single.js"
};
static const unsigned char asset_41[] = {
#embed "web/js/lib/time.js"
};
static const unsigned char asset_42[] = {
#embed "web/js/lib/warnings.js"
};
static const unsigned char asset_43[] = {
#embed "web/js/lib/window.js"
};
static const unsigned char asset_44[] = {
#embed "web/js/lib/words.js"
};
static const unsigned char asset_45[] = {
#embed "web/js/ui/about.js"
};
static const unsigned char asset_46[] = {
#embed "web/js/ui/add.js"
};
static const unsigned char asset_47[] = {
#embed "web/js/ui/adding.js"
};
static const unsigned char asset_48[] = {
#embed "web/js/ui/bookmark.js"
};
static const unsigned char asset_49[] = {
#embed "web/js/ui/caption.js"
};
static const unsigned char asset_50[] = {
#embed "web/js/ui/comments.js"
};
static const unsigned char asset_51[] = {
#embed "web/js/ui/connecting.js"
};
static const unsigned char asset_52[] = {
#embed "web/js/ui/deciding.js"
};
static const unsigned char asset_53[] = {
#embed "web/js/ui/doors.js"
};
static const unsigned char asset_54[] = {
#embed "web/js/ui/entry.js"
};
static const unsigned char asset_55[] = {
#embed "web/js/ui/eventform.js"
};
static const unsigned char asset_56[] = {
#embed "web/js/ui/faces.js"
};
static const unsigned char asset_57[] = {
#embed "web/js/ui/feedback.js"
};
static const unsigned char asset_58[] = {
#embed "web/js/ui/gallery.js"
};
static const unsigned char asset_59[] = {
#embed "web/js/ui/grid.js"
};
static const unsigned char asset_60[] = {
#embed "web/js/ui/guests.js"
};
static const unsigned char asset_61[] = {
#embed "web/js/ui/hiding.js"
};
static const unsigned char asset_62[] = {
#embed "web/js/ui/icons.js"
};
static const unsigned char asset_63[] = {
#embed "web/js/ui/later.js"
};
static const unsigned char asset_64[] = {
#embed "web/js/ui/menu.js"
};
static const unsigned char asset_65[] = {
#embed "web/js/ui/momentform.js"
};
static const unsigned char asset_66[] = {
#embed "web/js/ui/more.js"
};
static const unsigned char asset_67[] = {
#embed "web/js/ui/muting.js"
};
static const unsigned char asset_68[] = {
#embed "web/js/ui/naming.js"
};
static const unsigned char asset_69[] = {
#embed "web/js/ui/narrow.js"
};
static const unsigned char asset_70[] = {
#embed "web/js/ui/participate.js"
};
static const unsigned char asset_71[] = {
#embed "web/js/ui/parts.js"
};
static const unsigned char asset_72[] = {
#embed "web/js/ui/profile.js"
};
static const unsigned char asset_73[] = {
#embed "web/js/ui/save.js"
};
static const unsigned char asset_74[] = {
#embed "web/js/ui/scrubber.js"
};
static const unsigned char asset_75[] = {
#embed "web/js/ui/search.js"
};
static const unsigned char asset_76[] = {
#embed "web/js/ui/select.js"
};
static const unsigned char asset_77[] = {
#embed "web/js/ui/sheet.js"
};
static const unsigned char asset_78[] = {
#embed "web/js/ui/shell.js"
};
static const unsigned char asset_79[] = {
#embed "web/js/ui/stage.js"
};
static const unsigned char asset_80[] = {
#embed "web/js/ui/strips.js"
};
static const unsigned char asset_81[] = {
#embed "web/js/ui/tray.js"
};
static const unsigned char asset_82[] = {
#embed "web/js/ui/viewer.js"
};
static const unsigned char asset_83[] = {
#embed "web/js/ui/visitor.js"
};
static const unsigned char asset_84[] = {
#embed "web/js/views/bookmarks.js"
};
static const unsigned char asset_85[] = {
#embed "web/js/views/foryou.js"
};
static const unsigned char asset_86[] = {
#embed "web/js/views/hidden.js"
};
static const unsigned char asset_87[] = {
#embed "web/js/views/invite.js"
};
static const unsigned char asset_88[] = {
#embed "web/js/views/moment.js"
};
static const unsigned char asset_89[] = {
#embed "web/js/views/moments.js"
};
static const unsigned char asset_90[] = {
#embed "web/js/views/news.js"
};
static const unsigned char asset_91[] = {
#embed "web/js/views/people.js"
};
static const unsigned char asset_92[] = {
#embed "web/js/views/person.js"
};
static const unsigned char asset_93[] = {
#embed "web/js/views/photos.js"
};
static const unsigned char asset_94[] = {
#embed "web/js/views/setup.js"
};
static const unsigned char asset_95[] = {
#embed "web/js/wall/rota.js"
};
static const unsigned char asset_96[] = {
#embed "web/js/wall/tile.js"
};
static const unsigned char asset_97[] = {
#embed "web/js/wall/wall.js"
};
static const unsigned char asset_98[] = {
#embed "web/wall.html"
};

static const struct mingle_web_asset assets[] = {
    {"closed.html", asset_0, sizeof asset_0},
    {"css/base.css", asset_1, sizeof asset_1},
    {"css/parts.css", asset_2, sizeof asset_2},
    {"css/person.css", asset_3, sizeof asset_3},
    {"css/scrubber.css", asset_4, sizeof asset_4},
    {"css/select.css", asset_5, sizeof asset_5},
    {"css/views.css", asset_6, sizeof asset_6},
    {"css/wall.css", asset_7, sizeof asset_7},
    {"i18n/en.json", asset_8, sizeof asset_8},
    {"i18n/es.json", asset_9, sizeof asset_9},
    {"icon.svg", asset_10, sizeof asset_10},
    {"index.html", asset_11, sizeof asset_11},
    {"js/app.js", asset_12, sizeof asset_12},
    {"js/core/api.js", asset_13, sizeof asset_13},
    {"js/core/dom.js", asset_14, sizeof asset_14},
    {"js/core/i18n.js", asset_15, sizeof asset_15},
    {"js/core/kept.js", asset_16, sizeof asset_16},
    {"js/core/lease.js", asset_17, sizeof asset_17},
    {"js/core/notices.js", asset_18, sizeof asset_18},
    {"js/core/photolist.js", asset_19, sizeof asset_19},
    {"js/core/router.js", asset_20, sizeof asset_20},
    {"js/core/store.js", asset_21, sizeof asset_21},
    {"js/core/stream.js", asset_22, sizeof asset_22},
    {"js/core/style.js", asset_23, sizeof asset_23},
    {"js/core/transfer.js", asset_24, sizeof asset_24},
    {"js/core/uploads.js", asset_25, sizeof asset_25},
    {"js/core/visit.js", asset_26, sizeof asset_26},
    {"js/core/watcher.js", asset_27, sizeof asset_27},
    {"js/lib/codes.js", asset_28, sizeof asset_28},
    {"js/lib/gesture.js", asset_29, sizeof asset_29},
    {"js/lib/justify.js", asset_30, sizeof asset_30},
    {"js/lib/lease.js", asset_31, sizeof asset_31},
    {"js/lib/levels.js", asset_32, sizeof asset_32},
    {"js/lib/message.js", asset_33, sizeof asset_33},
    {"js/lib/moments.js", asset_34, sizeof asset_34},
    {"js/lib/news.js", asset_35, sizeof asset_35},
    {"js/lib/notices.js", asset_36, sizeof asset_36},
    {"js/lib/paths.js", asset_37, sizeof asset_37},
    {"js/lib/scrub.js", asset_38, sizeof asset_38},
    {"js/lib/selection.js", asset_39, sizeof asset_39},
    {"js/lib/single.js", asset_40, sizeof asset_40},
    {"js/lib/time.js", asset_41, sizeof asset_41},
    {"js/lib/warnings.js", asset_42, sizeof asset_42},
    {"js/lib/window.js", asset_43, sizeof asset_43},
    {"js/lib/words.js", asset_44, sizeof asset_44},
    {"js/ui/about.js", asset_45, sizeof asset_45},
    {"js/ui/add.js", asset_46, sizeof asset_46},
    {"js/ui/adding.js", asset_47, sizeof asset_47},
    {"js/ui/bookmark.js", asset_48, sizeof asset_48},
    {"js/ui/caption.js", asset_49, sizeof asset_49},
    {"js/ui/comments.js", asset_50, sizeof asset_50},
    {"js/ui/connecting.js", asset_51, sizeof asset_51},
    {"js/ui/deciding.js", asset_52, sizeof asset_52},
    {"js/ui/doors.js", asset_53, sizeof asset_53},
    {"js/ui/entry.js", asset_54, sizeof asset_54},
    {"js/ui/eventform.js", asset_55, sizeof asset_55},
    {"js/ui/faces.js", asset_56, sizeof asset_56},
    {"js/ui/feedback.js", asset_57, sizeof asset_57},
    {"js/ui/gallery.js", asset_58, sizeof asset_58},
    {"js/ui/grid.js", asset_59, sizeof asset_59},
    {"js/ui/guests.js", asset_60, sizeof asset_60},
    {"js/ui/hiding.js", asset_61, sizeof asset_61},
    {"js/ui/icons.js", asset_62, sizeof asset_62},
    {"js/ui/later.js", asset_63, sizeof asset_63},
    {"js/ui/menu.js", asset_64, sizeof asset_64},
    {"js/ui/momentform.js", asset_65, sizeof asset_65},
    {"js/ui/more.js", asset_66, sizeof asset_66},
    {"js/ui/muting.js", asset_67, sizeof asset_67},
    {"js/ui/naming.js", asset_68, sizeof asset_68},
    {"js/ui/narrow.js", asset_69, sizeof asset_69},
    {"js/ui/participate.js", asset_70, sizeof asset_70},
    {"js/ui/parts.js", asset_71, sizeof asset_71},
    {"js/ui/profile.js", asset_72, sizeof asset_72},
    {"js/ui/save.js", asset_73, sizeof asset_73},
    {"js/ui/scrubber.js", asset_74, sizeof asset_74},
    {"js/ui/search.js", asset_75, sizeof asset_75},
    {"js/ui/select.js", asset_76, sizeof asset_76},
    {"js/ui/sheet.js", asset_77, sizeof asset_77},
    {"js/ui/shell.js", asset_78, sizeof asset_78},
    {"js/ui/stage.js", asset_79, sizeof asset_79},
    {"js/ui/strips.js", asset_80, sizeof asset_80},
    {"js/ui/tray.js", asset_81, sizeof asset_81},
    {"js/ui/viewer.js", asset_82, sizeof asset_82},
    {"js/ui/visitor.js", asset_83, sizeof asset_83},
    {"js/views/bookmarks.js", asset_84, sizeof asset_84},
    {"js/views/foryou.js", asset_85, sizeof asset_85},
    {"js/views/hidden.js", asset_86, sizeof asset_86},
    {"js/views/invite.js", asset_87, sizeof asset_87},
    {"js/views/moment.js", asset_88, sizeof asset_88},
    {"js/views/moments.js", asset_89, sizeof asset_89},
    {"js/views/news.js", asset_90, sizeof asset_90},
    {"js/views/people.js", asset_91, sizeof asset_91},
    {"js/views/person.js", asset_92, sizeof asset_92},
    {"js/views/photos.js", asset_93, sizeof asset_93},
    {"js/views/setup.js", asset_94, sizeof asset_94},
    {"js/wall/rota.js", asset_95, sizeof asset_95},
    {"js/wall/tile.js", asset_96, sizeof asset_96},
    {"js/wall/wall.js", asset_97, sizeof asset_97},
    {"wall.html", asset_98, sizeof asset_98},
};

size_t mingle_web_asset_count(void) { return sizeof assets / sizeof assets[0]; }
struct mingle_web_asset mingle_web_asset_at(size_t index) { return assets[index]; }

/** Places on the map: those that were found, with "search this area" once it was moved; or a single one. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { moved } from '../lib/find.js';
import { withMap } from '../kinds/plan.js';
import { icon } from '../ui/icons.js';
import { complain } from '../ui/parts.js';

/** How near a single place is shown: streets around it. */
const NEAR = 17;

/**
 * @param {object} act
 * @param {((within: any) => void)|null} act.searchHere what the map shows is to be searched; without it the map searches nothing
 * @param {(place: any) => HTMLElement} act.callout what is shown at a pin that is picked @param {(id: string|null) => void} act.picked
 */
export function createPlaceMap({ searchHere, callout, picked }) {
  let know = () => {};
  const known = new Promise((done) => { know = done; });
  let map = null, places = [], mine = null, categories = [], opened = false, stopped = false, seen = null;
  const room = h('div.map-room', { 'aria-busy': 'true' });
  const here = h('button.btn.primary.search-here', { hidden: true, onclick: () => { here.hidden = true; seen = map.bounds(); searchHere(seen); } }, icon('search'), t('find.here'));
  const el = h('section.map-side', { 'aria-label': t('find.map') }, here, room);

  const pins = () => places.map((one) => ({ id: one.id, latitude: one.latitude, longitude: one.longitude, title: one.name, category: one.categories?.[0] ?? null, open: one.open, favourite: Boolean(one.favourites?.mine), selected: false }));

  function pick(id) {
    const place = places.find((one) => one.id === id);
    map.select(place ? id : null, place ? callout(place) : null);
    picked(place ? id : null);
  }

  /** The map came to rest: what a person moved is another area than the one that was searched. */
  function rested(bounds, byPerson) {
    if (!byPerson) seen = bounds;
    else if (searchHere && moved(seen, bounds)) here.hidden = false;
  }

  function draw(fits) {
    if (!map) return;
    map.setPins(pins());
    if (mine) map.setPin(mine);
    if (!fits) return;
    here.hidden = true;
    if (places.length || mine) map.fit([...pins(), ...(mine ? [mine] : [])]);
    seen = map.bounds();
  }

  return {
    el,
    pins,
    /** Shows the map, whose code comes with the first time. */
    open() {
      if (opened) return;
      opened = true;
      known.then(() => withMap(room, { label: t('find.map'), categories, onPick: pick, onMoved: rested }, () => !stopped)).then((made) => {
        map = made;
        draw(true);
      }).catch(complain);
    },
    /** @param {any[]} found @param {any} pin where the person is @param {any} within the part of the map that was searched: it stays */
    show(found, pin, within) {
      places = found;
      mine = pin;
      draw(!within || !seen);
    },
    /** The map shows pins by their categories, so it waits for them. @param {any[]} all */
    setCategories(all) { categories = all; know(); },
    redraw() { if (map) { map.stop(); map = null; opened = false; this.open(); } },
    stop() { stopped = true; map?.stop(); },
  };
}

/** Where one place lies, once somebody wants to see it. @param {() => any} place as it is known now */
export function spotPart(place) {
  let map = null, isAsked = false, stopped = false;
  const room = h('div.map-room.small', { 'aria-busy': 'true' }), el = h('details', { hidden: true, ontoggle: open }, h('summary', null, t('place.on_map')), room);

  function open() {
    if (isAsked || !el.open) return;
    isAsked = true;
    withMap(room, { label: t('place.on_map') }, () => !stopped).then((made) => {
      map = made;
      draw();
      map?.goTo(place(), NEAR);
    }).catch(complain);
  }

  function draw() {
    el.hidden = !place();
    const { id, latitude, longitude, name } = place() ?? {};
    if (id) map?.setPins([{ id, latitude, longitude, title: name, category: null, selected: true }]);
  }

  return { el, draw, stop() { stopped = true; map?.stop(); } };
}

/** Line icons, drawn here so that nothing is fetched. The words are around them. */

const PATHS = {
  photos: 'M3.5 5h10v8h-10z M16 5h4.5v8H16z M3.5 15.5H8v4H3.5z M10.5 15.5h10v4h-10z',
  moments: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z M12 7v5l3.5 2',
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z M2.5 20c.4-3.8 3-6 6.5-6s6.1 2.2 6.5 6 M16 4.3a3.4 3.4 0 0 1 0 6.4 M18 14.5c2 .8 3.2 2.7 3.5 5.5',
  invite: 'M4 4h6v6H4z M14 4h6v6h-6z M4 14h6v6H4z M14 14h2.5v2.5H14z M17.5 17.5H20V20h-2.5z M20 14h.01 M14 20h.01',
  menu: 'M4 7h16 M4 12h16 M4 17h16',
  places: 'M4 20V9l8-5 8 5v11 M4 20h16 M9.5 20v-6h5v6',
  deals: 'M4 4h8l8.5 8.5-8 8L4 12z M8.2 8.2h.01',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6 M4 17h16 M10 20.5h4',
  news: 'M4 5.5h3v3H4z M11 7h9 M4 15.5h3v3H4z M11 17h9 M11 12h6',
  face: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z M9 10h.01 M15 10h.01 M8.5 14.5c1.8 2.4 5.2 2.4 7 0',
  play: 'M7 4.5l12 7.5-12 7.5z',
  pause: 'M8 5v14 M16 5v14',
  sound: 'M4 9.5h3.5L12 5.5v13l-4.5-4H4z M15.5 9a4.5 4.5 0 0 1 0 6 M18 6.5a8 8 0 0 1 0 11',
  mute: 'M4 9.5h3.5L12 5.5v13l-4.5-4H4z M15.5 9.5l5 5 M20.5 9.5l-5 5',
  plus: 'M12 5v14 M5 12h14',
  minus: 'M5 12h14',
  close: 'M6 6l12 12 M18 6L6 18',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  up: 'M5 15l7-7 7 7',
  down: 'M5 9l7 7 7-7',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  heart: 'M12 20s-7.5-4.6-7.5-10.2A4.3 4.3 0 0 1 12 7.2a4.3 4.3 0 0 1 7.5 2.6C19.5 15.4 12 20 12 20z',
  thumb: 'M4 10.5h3.5V20H4z M7.5 11l3.7-7c1.6 0 2.6 1.1 2.3 2.7L13 9.5h5.7c1.2 0 2 1 1.8 2.2l-1.3 6.5c-.2 1-1 1.8-2.1 1.8H7.5',
  comment: 'M4 5h16v11H11l-4.5 4v-4H4z',
  save: 'M12 4v11 M7.5 11l4.5 4.5 4.5-4.5 M4.5 20h15',
  trash: 'M4.5 7h15 M9.5 7V4.5h5V7 M6.5 7l1 13h9l1-13 M10 11v5.5 M14 11v5.5',
  cover: 'M3.5 5h17v14h-17z M3.5 16l5-5 4 4 3-3 5 5 M15.5 9.5h.01',
  zoom: 'M4 9V4h5 M15 4h5v5 M20 15v5h-5 M9 20H4v-5',
  pin: 'M12 21s6.5-6 6.5-11a6.5 6.5 0 0 0-13 0c0 5 6.5 11 6.5 11z M12 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6z',
  lock: 'M6 11h12v9H6z M8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  star: 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z',
  map: 'M9 4.5L3.5 7v12.5L9 17l6 2.5 5.5-2.5V4.5L15 7z M9 4.5V17 M15 7v12.5',
  list: 'M9 6.5h11 M9 12h11 M9 17.5h11 M4.5 6.5h.01 M4.5 12h.01 M4.5 17.5h.01',
  phone: 'M5 4h4l1.5 5-2.5 1.5a12 12 0 0 0 5.5 5.5L15 13.5l5 1.5v4c0 1-1 1.5-2 1.5C10.5 20.5 3.5 13.5 3.5 6 3.5 5 4 4 5 4z',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1 M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 4l9 16H3z M12 10.5v4 M12 17.3h.01',
  edit: 'M4 20l1-4.5L16.5 4 20 7.5 8.5 19z M14 6.5l3.5 3.5',
  copy: 'M8.5 8.5h11v11h-11z M15.5 8.5v-4h-11v11h4',
  print: 'M7 9V4h10v5 M7 17H4V9h16v8h-3 M7 14h10v6H7z',
  more: 'M5 12h.01 M12 12h.01 M19 12h.01',
  flag: 'M6 21V4h11l-2.5 4 2.5 4H6',
  search: 'M11 17.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z M15.8 15.8L20.5 20.5',
  send: 'M4 12l16-7.5-5 15-3.5-6z M11.5 13.5L20 4.5',
  hide: 'M3 12c2-4.2 5.3-6.3 9-6.3s7 2.1 9 6.3c-2 4.2-5.3 6.3-9 6.3S5 16.2 3 12z M12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z M4.5 19.5l15-15',
  camera: 'M4 7.5h3.5L9.5 5h5l2 2.5H20v11.5H4z M12 16a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6z',
  calendar: 'M4 6h16v14H4z M4 10h16 M8.5 3.5v4 M15.5 3.5v4',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9 M19.5 4v5h-5',
};

/**
 * @param {keyof typeof PATHS} name @param {string} [className] @returns {SVGSVGElement}
 */
export function icon(name, className = '') {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon ${className}`.trim());
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

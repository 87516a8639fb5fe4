/** The menu behind the event's title: switch, start, join, leave. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { load, state } from '../core/store.js';
import { icon } from './icons.js';
import { busy, complain, toast } from './parts.js';
import { confirm, sheet } from './sheet.js';
import { joinForm, startForm } from './entry.js';

/** Opens the list of events. */
export function eventMenu() {
  const { events, current } = state.status;
  const row = (event) => {
    const button = h('button.row', { type: 'button', 'aria-current': event.id === current?.id ? 'true' : null, onclick: async () => {
      if (event.id === current?.id) return box.close();
      try {
        await busy(button, '', () => api.switchTo(event.id));
        box.close();
        go('/');
        await load.status();
      } catch (error) { complain(error); }
      return undefined;
    } }, h('span', null, h('strong', null, event.title),
      h('small', null, t('event.counts', { people: event.people, photos: event.photos }))), event.id === current?.id && icon('check'));
    return h('li', null, button);
  };
  const other = (title, form) => () => {
    box.close();
    const inner = sheet(title, [form(async () => { inner.close(); go('/'); await load.status(); })]);
  };
  const box = sheet(t('event.menu'), [
    h('ul.rows', null, events.map(row)),
    h('div.stack', null,
      h('button.btn.wide', { type: 'button', onclick: other(t('setup.start'), startForm) }, icon('plus'), t('setup.start')),
      h('button.btn.wide', { type: 'button', onclick: other(t('setup.join'), joinForm) }, icon('invite'), t('setup.join'))),
    current && h('p.apart', null, h('button.link.danger', { type: 'button', onclick: () => leave(current, box) }, t('event.leave', { title: current.title }))),
  ]);
}

/** @param {any} event @param {{close: () => void}} menu */
async function leave(event, menu) {
  const done = await confirm({
    title: t('event.leave', { title: event.title }), text: t('event.leave_text'), action: t('event.leave_do'), typed: event.title,
    work: () => api.leave(event.id),
  });
  if (!done) return;
  menu.close();
  go('/', { replace: true });
  await load.status();
  toast(t('event.left', { title: event.title }));
}

/**
 * The pages of one browser share one stream: one of them leads, the others follow. Web Locks and service workers would do it, and do
 * not exist on plain HTTP.
 */
import { BEAT_MS, claimed } from '../lib/lease.js';
import { memory } from './dom.js';

const KEY = 'stream';
/** Pages that hear that the lead is free look one after the other. */
const SPREAD_MS = 150;

/**
 * @param {{lead: () => void, follow: () => void, hear: (message: any) => void}} act what to do once this page leads, or another one
 * does; and with what another page says
 * @returns {{start: () => void, stop: () => void, say: (message: any) => void, leads: () => boolean}}
 */
export function createLease({ lead, follow, hear }) {
  const page = `${Date.now()}-${Math.random()}`;
  let role = '', timer = 0;
  // Without it pages cannot tell each other anything, and each has a stream of its own.
  const channel = globalThis.BroadcastChannel && new BroadcastChannel('mingle');

  function become(to) {
    if (role === to) return;
    role = to;
    if (to === 'leads') lead(); else follow();
  }

  function look() {
    if (!timer) return;
    const lease = claimed(memory.get(KEY), page, Date.now());
    if (lease.page === page) memory.set(KEY, lease);
    become(lease.page === page ? 'leads' : 'follows');
  }

  const say = (message) => channel?.postMessage(message);
  if (channel) channel.onmessage = ({ data }) => { if (data.free) setTimeout(look, Math.random() * SPREAD_MS); else if (timer) hear(data); };

  return {
    say,
    leads: () => role === 'leads',
    start() {
      if (!channel) return become('leads');
      timer ||= setInterval(look, BEAT_MS);
      return look();
    },
    stop() {
      clearInterval(timer);
      timer = 0;
      if (role === 'leads') { memory.set(KEY, null); say({ free: true }); }
      role = '';
    },
  };
}

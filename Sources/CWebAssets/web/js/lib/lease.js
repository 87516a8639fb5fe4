/** Which of a browser's pages holds the stream of changes: a lease that ends by itself where a page ended without a word. */

/** How long a lease holds that is not renewed. */
export const LEASE_MS = 2000;
/** How often it is renewed, or looked at by those who would take it. */
export const BEAT_MS = 700;

/**
 * The lease after a page that wants it has looked: another's that holds, or its own.
 * @param {{page: string, until: number}|null} lease @param {string} page @param {number} now ms
 */
export function claimed(lease, page, now) {
  // One that ends later than any can was written before the clock was set back.
  const holds = lease?.until > now && lease.until <= now + LEASE_MS;
  return holds && lease.page !== page ? lease : { page, until: now + LEASE_MS };
}

/** What people are called where names alone would not tell them apart. */

/**
 * A person's name; where another one has the same, with how the fingerprint begins, which those two can compare.
 * @param {{id: string, name: string, fingerprint?: string}} person @param {{id: string, name: string}[]} people
 */
export const called = ({ id, name, fingerprint }, people) => (
  fingerprint && people.some((other) => other.name === name && other.id !== id) ? `${name} · ${fingerprint.split(' ')[0]}` : name);

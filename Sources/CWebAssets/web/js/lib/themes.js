/** What clips are about. Pure. */

/**
 * @typedef {{id: string, name: string, priced?: boolean, weight?: number, categories?: string[], mine: boolean}} Theme
 */

/**
 * The themes that a clip can have, the heaviest first: of a place, those of its categories and those of all.
 * @param {Theme[]} themes @param {string[]|null} categories of the place; null: it is of no place
 */
export const offered = (themes, categories) => themes
  .filter((one) => !categories || !one.categories?.length || one.categories.some((id) => categories.includes(id)))
  .sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0) || a.name.localeCompare(b.name));

/** The themes that some of these clips have, by name. @param {Theme[]} themes @param {any[]} photos */
export function inUse(themes, photos) {
  const used = new Set(photos.map((photo) => photo.theme));
  return themes.filter(({ id }) => used.has(id)).sort((a, b) => a.name.localeCompare(b.name));
}

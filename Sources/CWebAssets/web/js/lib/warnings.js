/**
 * The warnings of a status, each once. That devices are not found is said twice: the page words it anew, with the reason.
 * @returns {{id: string, text: string|null, reason: string}[]} `text` is null for what the page words itself
 */
export function warnings(status) {
  const { state, detail = '' } = status?.discovery ?? {};
  const blind = (text) => state === 'absent' && detail !== '' && text.includes(detail.replace(/\.$/, ''));
  const out = [];
  for (const text of new Set(status?.warnings ?? [])) {
    const one = blind(text) ? { id: 'discovery', text: null, reason: detail } : { id: text, text, reason: '' };
    if (!out.some((other) => other.id === one.id)) out.push(one);
  }
  return out;
}

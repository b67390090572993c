/** What people write in comments, as HTML: nothing of it is markup but line breaks and links (spec 13). */

export function commentHtml(content: string): string {
  let html = ''
  let done = 0
  for (const { 0: found, index } of content.matchAll(LINK)) {
    // the full stop of a sentence is not part of an address
    const address = found.replace(/[.,;:!?'")\]}]+$/, '')
    html += `${escaped(content.slice(done, index))}<a href="${escaped(address)}" rel="nofollow noopener">${escaped(address)}</a>`
    done = index + address.length
  }
  return html + escaped(content.slice(done))
}

const LINK = /\bhttps?:\/\/[^\s<>"]{2,2000}/g

function escaped(text: string): string {
  return text.replace(/\r\n|[&<>"'\r\n]/g, (found) => ENTITIES[found] ?? '<br>')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

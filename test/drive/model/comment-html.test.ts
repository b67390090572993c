import { expect, test } from 'vitest'
import { commentHtml } from '../../../src/drive/domain/comments/comment-rows.ts'

const link = (address: string) => `<a href="${address}" rel="nofollow noopener">${address}</a>`

test.for<[string, string]>([
  ['plain', 'plain'],
  ['a <b>c</b> & "d" \'e\'', 'a &lt;b&gt;c&lt;/b&gt; &amp; &quot;d&quot; &#39;e&#39;'],
  ['one\ntwo\r\nthree\rfour', 'one<br>two<br>three<br>four'],
  ['see https://a.example/x?y=1&z=2.', `see ${link('https://a.example/x?y=1&amp;z=2')}.`],
  ['(http://a.example)', `(${link('http://a.example')})`],
  ["'https://a.example/x.y?z';!", `&#39;${link('https://a.example/x.y?z')}&#39;;!`],
  ['http://... and xhttps://a.example', 'http://... and xhttps://a.example'],
  ['https://a.example https://b.example', `${link('https://a.example')} ${link('https://b.example')}`],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['https://a.example/"onclick="x', `${link('https://a.example/')}&quot;onclick=&quot;x`],
  ["https://a.example/'x", link('https://a.example/&#39;x')],
])('%j', ([content, html]) => expect(commentHtml(content)).toBe(html))

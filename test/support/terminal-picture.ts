/** A terminal session as an SVG picture that looks alike in all browsers. */

const COLUMNS = 100
const FONT = { size: 14, width: 8.43, height: 20 }
const MARGIN = 20

export interface Shown {
  readonly command: string
  readonly output: string
}

/** Lines longer than the terminal is wide continue in the next line. */
export function terminalPicture(title: string, session: readonly Shown[]): string {
  const lines = session.flatMap(({ command, output }) => [
    ...wrapped(`$ ${command}`).map((text) => ({ text, kind: 'command' })),
    ...output
      .replace(/\n$/, '')
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) =>
        wrapped(line).map((text) => ({ text, kind: line.startsWith('hla: ') ? 'talk' : 'data' })),
      ),
    { text: '', kind: 'data' },
  ])
  const width = Math.round(COLUMNS * FONT.width + 2 * MARGIN)
  const height = (lines.length - 1) * FONT.height + 2 * MARGIN
  const texts = lines.flatMap(({ text, kind }, at) =>
    text === ''
      ? []
      : [
          `  <text class="${kind}" x="${MARGIN}" y="${MARGIN + at * FONT.height + FONT.size}">${escaped(text)}</text>`,
        ],
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
  <title>${escaped(title)}</title>
  <style>
    text { font: ${FONT.size}px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre; }
    .command { fill: #7fd7e8; font-weight: bold; }
    .data { fill: #f2f2ee; }
    .talk { fill: #e3c26b; }
  </style>
  <rect width="100%" height="100%" rx="8" fill="#12262b"/>
${texts.join('\n')}
</svg>
`
}

function wrapped(line: string): string[] {
  return line.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? []
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

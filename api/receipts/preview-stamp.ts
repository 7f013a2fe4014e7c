/** The service's stamp as in the page, with its postmark. Its upper left corner is at 0,0. */
export function previewStamp(postmark: { word: string; day: string } | null): string {
  return `<g transform="rotate(3 38 44)">
    <rect x="8" y="8" width="60" height="72" fill="#f3dcd6"/>
    <rect x="8" y="8" width="60" height="72" fill="none" stroke="#fffdf8" stroke-width="4.6" stroke-linecap="round" stroke-dasharray="0 6"/>
    <rect x="14" y="14" width="48" height="60" fill="none" stroke="#a3172f" stroke-width="1.2"/>
    <circle cx="38" cy="38" r="15" fill="#a3172f"/>
    <g font-family="Literata" font-weight="700" text-anchor="middle">
      <text x="38" y="43.5" font-size="16" fill="#f3dcd6">1¢</text>
      <text x="38.5" y="68" font-size="9" letter-spacing="1" fill="#a3172f">PENNY</text>
    </g>
  </g>${postmark === null ? '' : previewPostmark(postmark)}`;
}

function previewPostmark({ word, day }: { word: string; day: string }): string {
  return `<g transform="rotate(-14 58 64)" text-anchor="middle" font-family="Inter" font-weight="700" fill="#211c16">
    <g fill="#fffdf8" fill-opacity="0.6" stroke="#211c16" stroke-width="1.4">
      <circle cx="58" cy="64" r="23"/>
      <circle cx="58" cy="64" r="17.5"/>
    </g>
    <text x="58" y="63" font-size="9">${word}</text>
    <text x="58" y="72" font-size="7">${day}</text>
  </g>`;
}

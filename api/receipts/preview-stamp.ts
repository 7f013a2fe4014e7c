/** The service's stamp as in the page, with its postmark. Its upper left corner is at 0,0. */
export function previewStamp(postmark: { word: string; day: string } | null): string {
  return `<g transform="rotate(3 38 44)">
    <rect x="8" y="8" width="60" height="72" fill="#f3dcd6"/>
    <rect x="8" y="8" width="60" height="72" fill="none" stroke="#fffdf8" stroke-width="4.6" stroke-linecap="round" stroke-dasharray="0 6"/>
    <rect x="14" y="14" width="48" height="60" fill="none" stroke="#a3172f" stroke-width="1.2"/>
    <circle cx="38" cy="38" r="15" fill="#a3172f"/>
    <path fill="#f3dcd6" transform="translate(38 38) scale(1.76) translate(-16 -16)" d="M13 10.5h4.2a3.6 3.6 0 0 1 0 7.2h-1.9v3.8H13zm2.3 2.1v3h1.7a1.5 1.5 0 0 0 0-3z"/>
    <text x="38" y="67" font-family="Literata" font-weight="700" text-anchor="middle" font-size="6.3" fill="#a3172f">PENNYPOST</text>
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

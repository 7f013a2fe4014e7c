/** Marks that decorate; any other stays, and is a word that is not understood. */
const DECORATION = /(?:[💸💰🙏🎉👍🙂😊🚀✨📝💵🪙✅]|[⭐❤]\uFE0F?)/gu;
const ARROW = /(?<=^|\s)(?:→|➡\uFE0F?|➔|⇒|=>|->|-->)(?=\s)/gu;

/** The text without its dress; null where what it shows is not what it says. */
export function tidied(text: string): string | null {
  const links: boolean[] = [];
  const plain = text
    .replace(/[‘’]/g, "'")
    .replace(/\*\*/g, '')
    .replace(/\[([^\]\n]{1,60})\]\(([^)\s]{1,200})\)/g, (_, label: string, target: string) => {
      links.push(isSame(label, target));
      return target;
    })
    .replace(/\bmailto:/gi, '')
    .replace(DECORATION, ' ')
    .replace(ARROW, ' to ')
    .replace(/^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+/gm, '')
    .replace(/[ \t]+(?:[–—]|-(?![ \t]*[$\d]))[ \t]+/g, ', – ')
    .replace(/[ \t]+/g, ' ')
    .trim();
  return links.every(Boolean) ? plain : null;
}

/** Whether a link shows where it leads: `[octocat](https://github.com/octocat)`. */
function isSame(label: string, target: string): boolean {
  const shown = label.trim().replace(/^@/, '').toLowerCase();
  const bare = target
    .replace(/^(?:mailto:|https?:\/\/(?:www\.)?)/i, '')
    .replace(/\/$/, '')
    .toLowerCase();
  return shown === bare || shown === target.toLowerCase() || bare.split(/[/:]/).at(-1)?.replace(/^@/, '') === shown;
}

/** `n`: a name, `s`: a sum, `t`: a note, `w`: a network. */
export type PieceKind = 'n' | 's' | 't' | 'w';

/** The texts behind the marks. */
export class Pieces {
  readonly #texts: Record<PieceKind, string[]> = { n: [], s: [], t: [], w: [] };

  mark(kind: PieceKind, text: string): string {
    const at = this.#texts[kind].push(text) - 1;
    return ` ⟦${kind}${at}⟧ `;
  }

  of(kind: PieceKind, at: number): string {
    return this.#texts[kind][at] ?? '';
  }

  /** Numbers the marks as they stand in the text. */
  renumber(kind: 'n' | 's', text: string): string {
    const before = [...this.#texts[kind]];
    this.#texts[kind].length = 0;
    return text.replace(new RegExp(`⟦${kind}(\\d+)⟧`, 'g'), (_, at: string) =>
      this.mark(kind, before[Number(at)] ?? '').trim(),
    );
  }

  all(kind: PieceKind): readonly string[] {
    return this.#texts[kind];
  }
}

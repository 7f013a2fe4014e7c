/** What waiting does not cure, such as books of another chain. Its text is the one line with which the process ends. */
export class Misconfigured extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Misconfigured';
  }
}

/** For faults that waiting does not cure, such as books of another chain. Its text is the one line that ends the process. */
export class Misconfigured extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Misconfigured';
  }
}

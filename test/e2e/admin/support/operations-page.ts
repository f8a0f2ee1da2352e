/** Where an element begins and how wide it is. */
export function placeOf(selector: string): string {
  return `(({ x, width }) => [x, width].map(Math.round))(document.querySelector('${selector}').getBoundingClientRect())`;
}

/** The text of a step of an order, once it is done. */
export function doneWhen(step: string): RegExp {
  switch (step) {
    case 'Record payment':
      return /^Payment\s*Done/;
    case 'Report delivered':
      return /The carrier reports: delivered/;
    case 'Dispatch':
      return /^Delivery.*Done/s;
    default:
      return /^Confirmation\s*Done/;
  }
}

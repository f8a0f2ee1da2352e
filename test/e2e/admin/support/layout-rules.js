/**
 * Evaluated in a page: what its layout does to its parts, as `rule: element`.
 * `clipped`: text ends at the edge of something that neither scrolls nor shows an ellipsis, or a choice is longer than its box.
 * `unstyled`: a button, input, choice or link looks as the browser draws it where no style sheet says otherwise.
 * `collapsed`: a child of a flex container has less room than a line of its content.
 */
function findInLayout() {
  const findings = new Set();
  const find = (rule, element) => findings.add(`${rule}: ${element.outerHTML.slice(0, 160)}`);
  const elements = [...document.body.querySelectorAll('*')];
  const hidden = elements.filter(isForScreenReaders);
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !hidden.some((part) => part.contains(element));
  const linkColour = defaultLinkColour();
  if (document.documentElement.scrollWidth > window.innerWidth) find('wider than the window', document.body);
  for (const element of elements.filter(isSeen)) {
    const style = getComputedStyle(element);
    if (isUnstyled(element, style, linkColour)) find('unstyled', element);
    if (isCollapsed(element, style)) find('collapsed', element);
    if (isShortChoice(element, style)) find('clipped', element);
  }
  for (const text of textsIn(document.body)) {
    if (isSeen(text.parentElement) && isClipped(text)) find('clipped', text.parentElement);
  }
  return [...findings];
}

function isForScreenReaders(element) {
  return getComputedStyle(element).clipPath === 'inset(50%)' || element.matches('.mantine-VisuallyHidden-root');
}

function defaultLinkColour() {
  const probe = document.createElement('a');
  probe.href = '#';
  probe.style.all = 'revert';
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function isUnstyled(element, { borderTopStyle, color, appearance }, linkColour) {
  if (element.matches('a[href]')) return color === linkColour;
  if (element.matches('button, input, textarea')) return ['outset', 'inset'].includes(borderTopStyle);
  return element.matches('select:not([multiple])') && appearance !== 'none';
}

/** What scrolls may be smaller than its content, but not by so much that nothing of it can be read. */
function isCollapsed(element, { position, overflowX, overflowY }) {
  const container = getComputedStyle(element.parentElement);
  if (!container.display.includes('flex') || ['absolute', 'fixed'].includes(position)) return false;
  const [has, needs, overflow] = container.flexDirection.startsWith('column')
    ? [element.clientHeight, element.scrollHeight, overflowY]
    : [element.clientWidth, element.scrollWidth, overflowX];
  const twoLines = 28;
  return overflow !== 'visible' && has < needs && has < twoLines;
}

/** The text of a choice is no text of the document. */
function isShortChoice(element, { font, paddingLeft, paddingRight }) {
  if (!element.matches('select:not([multiple])')) return false;
  const context = document.createElement('canvas').getContext('2d');
  context.font = font;
  const room = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return context.measureText(element.selectedOptions[0]?.label ?? '').width > room + 1;
}

function* textsIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text.data.trim() !== '' && !text.parentElement.matches('textarea, option, script, style')) yield text;
  }
}

function isClipped(text) {
  const range = document.createRange();
  range.selectNodeContents(text);
  const box = range.getBoundingClientRect();
  for (let around = text.parentElement; around !== document.body; around = around.parentElement) {
    const { display, overflowX, overflowY, textOverflow, position, webkitLineClamp } = getComputedStyle(around);
    // Whoever scrolls it sees all of it; an ellipsis says that there is more.
    if ([overflowX, overflowY].some((overflow) => ['auto', 'scroll'].includes(overflow))) return false;
    if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return false;
    if (display !== 'inline' && [overflowX, overflowY].includes('hidden') && isOutside(box, around)) return true;
    if (position === 'fixed') return false;
  }
  return false;
}

/** By more than the parts of letters that are usually empty. */
function isOutside(text, around) {
  const box = around.getBoundingClientRect();
  const isBeside = text.left < box.left - 2 || text.right > box.right + 2;
  return isBeside || text.top < box.top - 4 || text.bottom > box.bottom + 4;
}

findInLayout();

import {
  createTheme,
  defaultVariantColorsResolver,
  Input,
  Notification,
  type MantineColorsTuple,
  type VariantColorResolverResult,
  type VariantColorsResolver,
} from '@mantine/core';

/** Sizes by name, each the token of that name (tokens.css). */
function tokens(kind: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `var(--${kind}-${name})`]));
}

/** The ten shades of a colour. */
function shades(colour: string): MantineColorsTuple {
  return Array.from({ length: 10 }, (_, index) => `var(--${colour}-${index})`) as unknown as MantineColorsTuple;
}

/** The library works out the colours of a button with every drawing of it; there are only few, and the theme never changes. */
const colours = new Map<string, VariantColorResolverResult>();
const variantColorResolver: VariantColorsResolver = (input) => {
  const key = JSON.stringify([input.color, input.variant, input.gradient, input.autoContrast]);
  const known = colours.get(key) ?? resolveColours(input);
  colours.set(key, known);
  return known;
};

/** A button of the default variant has its edge from a shadow (library.css); the library's grey border would stand beside it. */
function resolveColours(input: Parameters<VariantColorsResolver>[0]): VariantColorResolverResult {
  const result = defaultVariantColorsResolver(input);
  return input.variant === 'default' ? { ...result, border: '1px solid transparent' } : result;
}

const sizes = ['xs', 'sm', 'md', 'lg', 'xl'];
const heading = (size: string) => ({
  fontSize: `var(--font-size-${size})`,
  lineHeight: `var(--line-height-${size})`,
  fontWeight: 'var(--font-weight-bold)',
});

/** The theme of the component library, made from the tokens. */
export const theme = createTheme({
  colors: { gray: shades('gray'), dark: shades('dark'), harbour: shades('harbour') },
  black: 'var(--color-text)',
  primaryColor: 'harbour',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  variantColorResolver,
  fontFamily: 'var(--font-family)',
  fontFamilyMonospace: 'var(--font-family-mono)',
  fontSizes: tokens('font-size', sizes),
  fontWeights: tokens('font-weight', ['regular', 'medium', 'bold']),
  lineHeights: tokens('line-height', sizes),
  headings: {
    fontWeight: 'var(--font-weight-bold)',
    sizes: {
      h1: heading('xl'),
      h2: heading('lg'),
      h3: heading('md'),
      h4: heading('md'),
      h5: heading('md'),
      h6: heading('sm'),
    },
  },
  spacing: tokens('spacing', ['xxxs', 'xxs', 'icon', 'control', ...sizes, 'xxl']),
  radius: { ...tokens('radius', ['xs', 'sm', 'md']), lg: 'var(--radius-md)', xl: 'var(--radius-full)' },
  defaultRadius: 'sm',
  shadows: { ...tokens('shadow', ['xs', 'sm', 'md', 'lg']), xl: 'var(--shadow-lg)' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Inputs that stand beside one another begin at the same height, whatever help they have.
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
    Paper: { defaultProps: { radius: 'md', shadow: 'xs' } },
    Overlay: { defaultProps: { color: 'var(--color-scrim)', backgroundOpacity: 1 } },
    // A <header> in a dialog is not the banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    // Its cross has no accessible name.
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
  },
});

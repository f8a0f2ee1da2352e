/** A gantry crane over a yard of containers; decorative. */
export function CraneDrawing() {
  return (
    <svg viewBox="0 0 720 900" preserveAspectRatio="xMidYMax slice" aria-hidden="true" focusable="false">
      <g className="crane-far">{farStacks.flatMap(([x, count]) => stack(x, count))}</g>
      <rect className="crane-ground" x="0" y="832" width="720" height="68" />
      <g className="crane-frame">
        <rect x="60" y="236" width="600" height="44" rx="8" />
        <rect x="120" y="272" width="36" height="560" rx="4" />
        <rect x="564" y="272" width="36" height="560" rx="4" />
      </g>
      <g className="crane-trolley">
        <rect x="300" y="262" width="120" height="34" rx="6" />
        <path d="M322 296h5v116h-5zM393 296h5v116h-5z" />
        <rect x="296" y="408" width="128" height="14" rx="4" />
        <rect x="104" y="806" width="68" height="26" rx="8" />
        <rect x="548" y="806" width="68" height="26" rx="8" />
      </g>
      <Container x={284} y={422} shade="load" />
      {containers.map(([x, y, shade]) => (
        <Container key={`${x} ${y}`} x={x} y={y} shade={shade} />
      ))}
    </svg>
  );
}

/** Positions and heights of the stacks in the background. */
const farStacks = [
  [-44, 5],
  [120, 3],
  [284, 2],
  [448, 3],
  [612, 6],
] as const;

const containers = [
  [196, 756, 'middle'],
  [364, 756, 'light'],
  [364, 672, 'dark'],
  [196, 672, 'light'],
  [196, 588, 'dark'],
] as const;

const step = 84;

function stack(x: number, count: number) {
  return Array.from({ length: count }, (_, index) => (
    <rect key={`${x} ${index}`} x={x} y={748 - index * step} width="152" height="76" rx="6" />
  ));
}

interface ContainerProps {
  readonly x: number;
  readonly y: number;
  readonly shade: 'load' | 'dark' | 'middle' | 'light';
}

function Container({ x, y, shade }: ContainerProps) {
  return (
    <g data-shade={shade}>
      <rect x={x} y={y} width="152" height="76" rx="6" />
      <path className="crane-rib" d={`M${x + 14} ${y + 12}v52${'m16-52v52'.repeat(8)}`} />
    </g>
  );
}

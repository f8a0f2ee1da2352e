import { Group, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { FirstIcon, LeftIcon, RightIcon } from '../icons';
import { IconButton } from './link-button';
import { softDisabledProps } from '../soft-disabled-props';

export interface PageStepsProps {
  /** Name of the entries on the pages, for the choice of their size. */
  readonly sizeLabel: string;
  readonly sizes: readonly number[];
  readonly size: number;
  onSize(size: number): void;
  /** Undefined where the way ends, as for the others. */
  readonly openFirst: (() => void) | undefined;
  readonly openPrevious: (() => void) | undefined;
  readonly openNext: (() => void) | undefined;
  /** The pointer is over the way to the next page. */
  readonly onExpectNext?: () => void;
}

/** The ways from one page of a list to the others. */
export function PageSteps({ sizeLabel, sizes, size, onSize, onExpectNext, ...ways }: PageStepsProps) {
  return (
    <Group gap="xs" role="group" aria-label="Pages">
      <NativeSelect
        aria-label={sizeLabel}
        size="xs"
        className="page-size"
        data={sizes.map((each) => ({ value: String(each), label: `${each} rows` }))}
        value={String(size)}
        onChange={(event) => onSize(Number(event.currentTarget.value))}
      />
      <PageStep label="First page" open={ways.openFirst}>
        <FirstIcon size={16} />
      </PageStep>
      <PageStep label="Previous page" open={ways.openPrevious}>
        <LeftIcon size={16} />
      </PageStep>
      <PageStep
        label="Next page"
        open={ways.openNext}
        {...(onExpectNext === undefined ? {} : { onPointerEnter: onExpectNext })}
      >
        <RightIcon size={16} />
      </PageStep>
    </Group>
  );
}

export interface PageStepProps {
  readonly label: string;
  /** Undefined where the way ends. */
  readonly open: (() => void) | undefined;
  readonly onPointerEnter?: () => void;
  readonly children: ReactNode;
}

/** Keeps the focus where the way ends: keyboard users continue from here. */
export function PageStep({ open, ...props }: PageStepProps) {
  return (
    <IconButton
      className="page-step"
      variant="subtle"
      size="md"
      {...softDisabledProps(open === undefined)}
      onClick={() => open?.()}
      {...props}
    />
  );
}

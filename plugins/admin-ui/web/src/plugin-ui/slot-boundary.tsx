import { Component, Suspense, type ReactNode } from 'react';
import { LoadingState } from '../ui/states';

interface Props {
  readonly children: ReactNode;
  /** Drawn instead of what failed; `retry` draws that again. */
  readonly renderFailure: (error: unknown, retry: () => void) => ReactNode;
  readonly onError?: (error: unknown) => void;
  /** Shown while a part waits for something. */
  readonly waiting?: ReactNode;
}

/** Keeps what a plugin throws while it is drawn from everything around it. */
export class SlotBoundary extends Component<Props, { readonly failed?: { readonly error: unknown } }> {
  override state: { readonly failed?: { readonly error: unknown } } = {};

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError?.(error);
  }

  override render(): ReactNode {
    const { children, renderFailure, waiting = <LoadingState /> } = this.props;
    const { failed } = this.state;
    if (failed !== undefined) return renderFailure(failed.error, () => this.setState({ failed: undefined }));
    return <Suspense fallback={waiting}>{children}</Suspense>;
  }
}

import { useEffect, useRef } from 'react';
import { Notice } from '@hospital/ui/notice';
import { AlternativeTimes } from './alternative-times.tsx';
import type { DayTime } from './alternatives.ts';
import { takenText } from './form.ts';
import type { Lost } from './times.ts';

/** Alerts the visitor that the chosen time was taken, and offers the nearest free times. */
export function TakenTime({ lost, onChoose }: { lost: Lost; onChoose: (time: DayTime) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    // The button of that time gets disabled, which would lose the focus. A visitor who is typing elsewhere keeps it.
    if (activeElement === document.body || activeElement?.closest('#time')) box.current?.focus();
  }, [lost]);
  return (
    <Notice tone="warning" role="alert" tabIndex={-1} ref={box}>
      <p>{takenText(lost)}</p>
      <AlternativeTimes times={lost.alternatives} onChoose={onChoose} />
    </Notice>
  );
}

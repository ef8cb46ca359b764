import { useEffect, useRef } from 'react';
import { Notice } from '@hospital/ui/notice';
import { AlternativeTimes } from './alternative-times.tsx';
import type { DayTime } from './alternatives.ts';
import { takenText } from './form.ts';
import type { Lost } from './times.ts';

/** Says that the chosen time is somebody else's, and what is near it. */
export function TakenTime({ lost, onChoose }: { lost: Lost; onChoose: (time: DayTime) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    // The button of that time cannot be chosen any more, so that the focus would be nowhere. Who types elsewhere keeps it.
    if (activeElement === document.body || activeElement?.closest('#time')) box.current?.focus();
  }, [lost]);
  return (
    <Notice tone="warning" role="alert" tabIndex={-1} ref={box}>
      <p>{takenText(lost)}</p>
      <AlternativeTimes times={lost.alternatives} onChoose={onChoose} />
    </Notice>
  );
}

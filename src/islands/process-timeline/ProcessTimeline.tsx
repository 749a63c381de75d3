import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import './process-timeline.css';
import type { ScheduledStep } from './schedule.ts';

interface Props {
  steps: ScheduledStep[];
  /** Width of the calendar in weeks. */
  weeks: number;
}

/** Time between two steps during playback, in milliseconds. */
const advanceMs = 3_200;

/** The keys that move to the next step (1) or to the previous step (-1). */
const moves: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

const prefersStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const neverChanges = () => () => undefined;

/**
 * Shows a service's steps with their durations and checks them off one by one (docs/product.md#process-timeline).
 * Before hydration, and without JavaScript, the timeline is an ordered list of the steps.
 */
export default function ProcessTimeline({ steps, weeks }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [step, setStep] = useState(0);
  // With reduced motion, the timeline plays only when the visitor presses Play.
  const still = useSyncExternalStore(neverChanges, prefersStillness, () => false);
  const [playing, setPlaying] = useState<boolean>();
  const plays = playing ?? !still;
  /** True while the timeline is in view and its tab is visible. */
  const [watched, setWatched] = useState(false);
  const [seen, setSeen] = useState(false);
  const [moved, setMoved] = useState(false);
  const complete = step === steps.length - 1;

  // The timeline is in view if any part of it is in the upper 70% of the window (docs/product.md#process-timeline).
  useEffect(() => {
    let inView = false;
    const watch = () => {
      const isWatched = inView && !document.hidden;
      setWatched(isWatched);
      if (isWatched) setSeen(true);
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        inView = entry!.isIntersecting;
        watch();
      },
      { rootMargin: '0px 0px -30%' },
    );
    observer.observe(root.current!);
    // The island exists as long as its page, so no cleanup is needed.
    document.addEventListener('visibilitychange', watch);
  }, []);

  const running = plays && watched && !complete;
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => {
      setStep(step + 1);
      setMoved(true);
    }, advanceMs);
    return () => clearTimeout(timer);
  }, [running, step]);

  function goTo(index: number, thenPlays = false) {
    setStep(Math.min(Math.max(index, 0), steps.length - 1));
    setMoved(true);
    setPlaying(thenPlays);
  }

  /**
   * Moves to another step. The Previous button is disabled at the first step, and the Next button at the last. A
   * disabled button loses the focus, so the focus moves to the Play button.
   */
  function lead(by: number) {
    goTo(step + by);
    if (!steps[step + 2 * by]) root.current?.querySelector<HTMLElement>('[data-play]')?.focus();
  }

  function move(event: KeyboardEvent) {
    const by = moves[event.key];
    if (!by) return;
    event.preventDefault();
    goTo(step + by);
    root.current?.querySelectorAll<HTMLElement>('.marker')[step + by]?.focus();
  }

  // The bar of the first step is drawn in 0.8 s, and each later one in 0.96 s (process-timeline.css).
  const drawing = moved ? 'step' : seen ? 'start' : undefined;
  const place = `Step ${step + 1} of ${steps.length}`;
  return (
    <div className="timeline" ref={root} data-drawing={drawing}>
      <div className="timeline-bar">
        <p className="timeline-place">
          <strong>{complete ? 'Process Complete' : place}</strong>
          <span>{Math.round(((step + 1) / steps.length) * 100)}% complete</span>
        </p>
        <progress className="progress-bar" aria-hidden="true" max={steps.length} value={step + 1} />
        <div>
          <button className="button button-secondary" disabled={step === 0} onClick={() => lead(-1)}>
            Previous
          </button>
          <button className="button" data-play onClick={() => (complete ? goTo(0, true) : setPlaying(!plays))}>
            {complete ? 'Replay' : plays ? 'Pause' : 'Play'}
          </button>
          <button className="button button-secondary" disabled={complete} onClick={() => lead(1)}>
            Next
          </button>
        </div>
        <p className="sr-only" role="status">
          {complete ? 'Process Complete' : plays ? '' : place}
        </p>
      </div>
      <ol>
        {steps.map(({ title, description, duration, span }, index) => (
          <li
            key={title}
            className="step"
            data-state={drawing && index <= step ? (index < step ? 'done' : 'now') : undefined}
          >
            <button
              className="marker"
              aria-label={`${index + 1}: ${title}`}
              aria-current={index === step ? 'step' : undefined}
              tabIndex={index === step ? 0 : -1}
              onClick={() => goTo(index)}
              onKeyDown={move}
            >
              {index + 1}
            </button>
            <div>
              <h3>{title}</h3>
              <p>{description}</p>
            </div>
            <p className="step-time">{duration}</p>
            {/* Position of the step on the calendar: the front bar shows the shortest duration, the back bar the
                longest. */}
            <svg className="span" viewBox={`0 0 ${weeks} 4`} preserveAspectRatio="none" aria-hidden="true">
              <rect className="most" x={span.start} width={span.most} />
              <rect x={span.start} width={span.least} />
            </svg>
          </li>
        ))}
      </ol>
    </div>
  );
}

import { type KeyboardEvent, useEffect, useReducer, useRef } from 'react';
import type { ProcessStep } from '../../domain/service.ts';
import './process-timeline.css';
import { scheduleOf } from './schedule.ts';
import StepSpan from './StepSpan.tsx';
import { dueOf, isComplete, newTimeline, percentComplete, timeline } from './timeline.ts';

interface Props {
  steps: ProcessStep[];
  /** The durations taken together. */
  overall: string;
}

/**
 * The steps of a service as rows of a ledger, each with its place on the calendar; they are ticked off one by one (spec
 * §2, §4). Before it is hydrated, and with scripts off, it is the ordered list of the steps.
 */
export default function ProcessTimeline({ steps, overall }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [state, dispatch] = useReducer(timeline, steps.length, newTimeline);
  const { step, playing, animating, started, chosen } = state;
  const complete = isComplete(state);
  const { spans, weeks } = scheduleOf(steps.map(({ duration }) => duration));

  // It starts with its top above 70 % of the window's height and its bottom in the window (spec §4), and stops
  // while it is off the screen or the tab is hidden.
  useEffect(() => {
    if (!root.current) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) dispatch({ type: 'calm' });
    let onScreen = false;
    const watch = () => dispatch({ type: 'watched', watched: onScreen && !document.hidden });
    const near = new IntersectionObserver(([entry]) => {
      onScreen = entry?.isIntersecting ?? false;
      watch();
    });
    const within = new IntersectionObserver(([entry]) => entry?.isIntersecting && dispatch({ type: 'seen' }), {
      rootMargin: '0px 0px -30%',
    });
    near.observe(root.current);
    within.observe(root.current);
    document.addEventListener('visibilitychange', watch);
    return () => {
      near.disconnect();
      within.disconnect();
      document.removeEventListener('visibilitychange', watch);
    };
  }, []);

  const due = dueOf(state);
  useEffect(() => {
    if (due.advance === null) return;
    const timer = setTimeout(() => dispatch({ type: 'advance' }), due.advance);
    return () => clearTimeout(timer);
  }, [due.advance, step]);
  useEffect(() => {
    if (due.drawn === null) return;
    const timer = setTimeout(() => dispatch({ type: 'drawn' }), due.drawn);
    return () => clearTimeout(timer);
  }, [due.drawn, step]);

  function goTo(index: number) {
    dispatch({ type: 'jump', step: index });
  }

  /** A button that is about to be disabled hands its focus to one that is not. */
  function leadTo(index: number, other: string) {
    goTo(index);
    if (index === 0 || index === steps.length - 1) root.current?.querySelector<HTMLElement>(other)?.focus();
  }

  function move(event: KeyboardEvent) {
    const last = steps.length - 1;
    const to = new Map([
      ['ArrowDown', step + 1],
      ['ArrowRight', step + 1],
      ['ArrowUp', step - 1],
      ['ArrowLeft', step - 1],
      ['Home', 0],
      ['End', last],
    ]).get(event.key);
    if (to === undefined) return;
    event.preventDefault();
    const index = Math.min(Math.max(to, 0), last);
    goTo(index);
    list.current?.querySelectorAll('button')[index]?.focus();
  }

  const place = `Step ${step + 1} of ${steps.length}`;
  return (
    <div className="timeline" ref={root} data-started={started || undefined} data-animating={animating ?? undefined}>
      <div className="timeline-bar">
        <p className="timeline-place figures">
          <strong>{complete ? 'Process Complete' : place}</strong>
          <span>{percentComplete(state)}% complete</span>
        </p>
        <progress aria-label="Process" max={steps.length} value={step + 1} />
        <div className="timeline-controls">
          <button
            type="button"
            className="button button-quiet"
            disabled={step === 0}
            onClick={() => leadTo(step - 1, '[data-next]')}
          >
            Previous
          </button>
          <button
            type="button"
            className="button"
            data-play
            onClick={() => dispatch({ type: complete ? 'replay' : 'toggle' })}
          >
            {complete ? 'Replay' : playing ? 'Pause' : 'Play'}
          </button>
          <button
            type="button"
            className="button button-quiet"
            data-next
            disabled={complete}
            onClick={() => leadTo(step + 1, '[data-play]')}
          >
            Next
          </button>
        </div>
        <p className="sr-only" role="status">
          {complete ? 'Process Complete' : chosen ? `${place}: ${steps[step]?.title}` : ''}
        </p>
      </div>
      <ol ref={list}>
        {steps.map(({ title, description, duration }, index) => (
          <li
            key={title}
            className="step"
            data-state={started ? (index < step ? 'done' : index === step ? 'now' : undefined) : undefined}
          >
            <button
              type="button"
              className="marker figures"
              aria-label={`Step ${index + 1}: ${title}`}
              aria-current={index === step ? 'step' : undefined}
              tabIndex={index === step ? undefined : -1}
              onClick={() => goTo(index)}
              onKeyDown={move}
            >
              {index + 1}
            </button>
            <div className="step-words">
              <h3>{title}</h3>
              <p>{description}</p>
            </div>
            <p className="step-time figures">{duration}</p>
            <StepSpan span={spans[index]!} weeks={weeks} />
          </li>
        ))}
      </ol>
      <p className="timeline-total">
        In all <strong className="figures">{overall}</strong>
      </p>
    </div>
  );
}

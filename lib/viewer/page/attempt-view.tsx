import type { Attempt, Diagnosis } from '../../core/attempt.ts';
import { DiffView } from './diff-view.tsx';
import { count, seconds } from './format.ts';
import { VerdictView } from './verdict-view.tsx';

/** One round: what came of it, what it changed, what the model was told and what it wrote. */
export function AttemptView({ attempt, buggy }: { attempt: Attempt; buggy: string }) {
  const { verdict, candidate, completion, prompt, diagnosis, repeated, unchanged } = attempt;
  return (
    <>
      <section class="card">
        <Figures attempt={attempt} />
        {verdict && <VerdictView verdict={verdict} />}
        {!verdict && <p class="muted">What the tests say of it was not told to the agent.</p>}
        {unchanged && <p class="remark">The candidate is the buggy function again.</p>}
        {repeated && !unchanged && <p class="remark">The candidate was tried before.</p>}
      </section>
      <section class="card">
        <h2>
          Diff <small>from the buggy code to the candidate</small>
        </h2>
        {candidate === null && <p class="muted">The completion holds no candidate.</p>}
        {candidate !== null && (
          <DiffView before={buggy} after={candidate} raised={verdict?.exception?.line} />
        )}
      </section>
      <section class="card">
        <h2>Completion</h2>
        <pre class="text">{completion}</pre>
      </section>
      {diagnosis && <DiagnosisView diagnosis={diagnosis} />}
      <Prompt prompt={prompt} />
    </>
  );
}

function Figures({
  attempt: { temperature, tokens, seconds: spent, node, iteration },
}: {
  attempt: Attempt;
}) {
  return (
    <dl class="figures">
      {[
        ['Iteration', String(iteration)],
        ['Node', node],
        ['Temperature', temperature === null ? 'not sampled' : String(temperature)],
        ['Tokens read', count(tokens.prompt)],
        ['Tokens written', count(tokens.completion)],
        ['Model', seconds(spent.proposal)],
        ['Tests', seconds(spent.execution)],
      ].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function DiagnosisView({ diagnosis }: { diagnosis: Diagnosis }) {
  const { completion, prompt, tokens, temperature } = diagnosis;
  return (
    <>
      <section class="card">
        <h2>
          Diagnosis{' '}
          <small>
            {count(tokens.prompt)} tokens read, {count(tokens.completion)} written,{' '}
            {seconds(diagnosis.seconds)}, temperature {temperature}
          </small>
        </h2>
        <pre class="text">{completion}</pre>
      </section>
      <Prompt prompt={prompt} title="Prompt of the diagnosis" />
    </>
  );
}

/** The last message is what is new, so it alone is open at first. */
function Prompt({ prompt, title = 'Prompt' }: { prompt: Attempt['prompt']; title?: string }) {
  return (
    <section class="card prompt">
      <h2>{title}</h2>
      {prompt.map(({ role, content, toolCalls }, place) => (
        <details key={`${prompt.length} ${place}`} open={place === prompt.length - 1}>
          <summary>
            <span class={`role ${role}`}>{role}</span>
            <span class="glimpse">{content.trim().split('\n', 1)[0]}</span>
          </summary>
          {content !== '' && <pre class="text">{content}</pre>}
          {toolCalls?.map((call, at) => (
            <pre key={at} class="text">
              {call.name}({call.arguments})
            </pre>
          ))}
        </details>
      ))}
    </section>
  );
}

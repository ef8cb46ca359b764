/** `/gallery` under `cargo xtask dev shell`: all components of web-kit in all their states. Never published. */
import type { PageProps } from '@hospital/page';
import type { ReactNode } from 'react';
import { Accordion } from '@hospital/ui/accordion';
import { AsideCard } from '@hospital/ui/aside-card';
import { Badge } from '@hospital/ui/badge';
import { Breadcrumb, trailTo } from '@hospital/ui/breadcrumb';
import { Button, LinkButton } from '@hospital/ui/button';
import { CallToAction } from '@hospital/ui/call-to-action';
import { Card } from '@hospital/ui/card';
import { CheckBoxes } from '@hospital/ui/check-boxes';
import { classNames } from '@hospital/ui/class-names';
import { Dialog } from '@hospital/ui/dialog';
import { EmergencyCard } from '@hospital/ui/emergency-card';
import { EntryCard } from '@hospital/ui/entry-card';
import { ErrorSummary } from '@hospital/ui/error-summary';
import layout from '@hospital/ui/layout.module.css';
import { CheckList, Facts, Steps } from '@hospital/ui/lists';
import { NothingYet } from '@hospital/ui/nothing-yet';
import { Notice } from '@hospital/ui/notice';
import { Pager } from '@hospital/ui/pager';
import { Picture } from '@hospital/ui/picture';
import { PostCard } from '@hospital/ui/post-card';
import { SearchBox } from '@hospital/ui/search-box';
import { Select } from '@hospital/ui/select';
import { siteOf, type Site } from '@hospital/ui/site';
import { Tags } from '@hospital/ui/tags';
import { TextArea } from '@hospital/ui/text-area';
import { TextInput } from '@hospital/ui/text-input';
import styles from './gallery.module.css';

/** Class name of each surface with the text on it: role of the text, then role of the surface. */
const COLOURS = [
  'textOnSurface', 'textOnRaised', 'textOnSoft', 'softTextOnRaised', 'textOnAction', 'textOnActionStrong', 'textOnActionSoft',
  'textOnAccent', 'textOnAccentSoft', 'textOnDanger', 'textOnDangerSoft', 'textOnSuccess', 'textOnSuccessSoft',
] as const; // prettier-ignore
const STEPS = ['stepMinus1', 'step0', 'step1', 'step2', 'step3', 'step4', 'step5'] as const;
const LONG = 'A long text shows how lines break: Gastroenterology, Ophthalmology and Obstetrics & Gynaecology.';

export default function Gallery({ data: { site: answer } }: PageProps<{ site: Site }>) {
  const site = siteOf(answer);
  return (
    <div className={layout.page}>
      <h1>Gallery of components</h1>
      <Part name="Colours by role">
        <ul className={styles.colours}>
          {COLOURS.map((name) => (
            <li key={name} className={classNames(styles.colour, styles[name])}>
              {name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}
            </li>
          ))}
        </ul>
      </Part>
      <Part name="Type">
        {STEPS.map((step) => (
          <p key={step} className={styles[step]}>
            {step}: ₹500, 9:30 AM
          </p>
        ))}
        <h3>A heading in Anek</h3>
      </Part>
      <Part name="Buttons">
        <div className={layout.actions}>
          <Button>Primary</Button>
          <Button tone="secondary">Secondary</Button>
          <Button tone="quiet">Quiet</Button>
          <LinkButton tone="emergency" href="tel:+918000000108">
            Call now
          </LinkButton>
          <Button aria-disabled="true">Processing...</Button>
        </div>
        <Button wide>Wide</Button>
      </Part>
      <Part name="Badges and tags">
        <p>
          <Badge>Cardiology</Badge> <Badge tone="champaca">New</Badge>
        </p>
        <Tags label="Services" tags={['ECG and echocardiography', 'Treadmill test', 'Blood pressure clinic']} />
      </Part>
      <Part name="Notices">
        {(['info', 'success', 'warning', 'failure'] as const).map((tone) => (
          <Notice key={tone} tone={tone} title={`A ${tone} notice`}>
            <p>{LONG}</p>
          </Notice>
        ))}
        <NothingYet>No news available yet.</NothingYet>
      </Part>
      <Part name="Form fields">
        <ErrorSummary
          takesFocus={false}
          title="There is a problem"
          errors={[{ id: 'gallery-refused', message: 'Enter an email address, like name@example.com' }]}
        />
        <form className={styles.form}>
          <TextInput id="gallery-plain" name="plain" label="A field" hint="Its hint" />
          <TextInput
            id="gallery-refused"
            name="refused"
            label="A refused field"
            required
            defaultValue="nobody at home"
            error="Enter an email address, like name@example.com"
          />
          <Select id="gallery-select" name="select" label="A choice">
            <option>General Medicine</option>
            <option>Obstetrics &amp; Gynaecology</option>
          </Select>
          <TextArea id="gallery-area" name="area" label="A longer text" rows={3} defaultValue={LONG} />
          <CheckBoxes
            id="gallery-boxes"
            name="boxes"
            label="Some of several"
            options={['Regular exercise', 'Meditation/Mindfulness']}
            defaultValue="Regular exercise"
          />
        </form>
        <SearchBox id="gallery-search" label="Search posts" landmark="Gallery" action="/search" />
      </Part>
      <Part name="Cards">
        {(['paper', 'mist', 'teal', 'champaca'] as const).map((tone) => (
          <Card key={tone} tone={tone}>
            <h3>A card of tone {tone}</h3>
            <p>{LONG}</p>
          </Card>
        ))}
        <AsideCard title="At a glance">
          <Facts
            facts={[
              ['Fee', '₹700'],
              ['Hours', '9:00 AM to 8:00 PM'],
            ]}
          />
        </AsideCard>
        <ul className={layout.cards}>
          <EntryCard name="Gastroenterology" description={LONG} href="/specialties" />
          <PostCard
            href="/blogs"
            title={LONG}
            level={3}
            picture={<Picture address={undefined} />}
            badge={<Badge>Family Health</Badge>}
            text={LONG}
            meta="12 November 2026"
          />
        </ul>
      </Part>
      <Part name="Lists and steps">
        <CheckList items={['ID proof', 'Previous records']} />
        <Steps items={['Choose a time', 'Receive a confirmation', 'Come 15 minutes early']} />
        <Accordion
          name="gallery"
          items={[
            { title: 'Can I wait?', content: <p>{LONG}</p> },
            { title: 'When may I lift things again?', content: <p>{LONG}</p> },
          ]}
        />
      </Part>
      <Part name="Ways through a list">
        <Breadcrumb trail={trailTo(['Blogs', '/blogs'], ['A post', '/blogs/a-post'])} />
        <Pager what="news" path="/events" later next="token" />
      </Part>
      <Part name="Dialog and toasts">
        <div className={layout.actions}>
          <Button data-opens="dialog">Open the dialog</Button>
          <Button tone="secondary" data-opens="success">
            Show a toast
          </Button>
          <Button tone="secondary" data-opens="error">
            Show an error
          </Button>
        </div>
        <Dialog open title="Cancel this appointment?" onClose={() => undefined}>
          <p>{LONG}</p>
          <div className={layout.actions}>
            <Button>Cancel the appointment</Button>
            <Button tone="secondary">Keep it</Button>
          </div>
        </Dialog>
      </Part>
      <EmergencyCard site={site} text="Our emergency department is open day and night." signs={['Chest pain']} />
      <CallToAction title="What next?" text={LONG} site={site}>
        <LinkButton href="/appointment">Book Appointment</LinkButton>
      </CallToAction>
    </div>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  const id = name.toLowerCase().replaceAll(' ', '-');
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      {children}
    </section>
  );
}

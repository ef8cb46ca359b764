-- Where in a trace a message was written, as a W3C traceparent: its delivery belongs to that trace. NULL for one that was to wait.
-- Builds before this one leave it out.
ALTER TABLE outbox_messages ADD COLUMN traceparent TEXT;

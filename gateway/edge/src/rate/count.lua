-- Counts a request in all of its logs, unless one is full: one script, so nobody comes between.
-- KEYS: the logs. ARGV: for each log how many events it may hold, the milliseconds that it remembers them, and those that are
-- logged as one time. Returns 1 or 0 for taken, and for each log its events and the milliseconds until it has room.
-- A log is runs of ten bytes, oldest first: a time in milliseconds (6 bytes) and the events at it (4 bytes).
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local answer, logs = {1}, {}
for n, key in ipairs(KEYS) do
  local max, memory = tonumber(ARGV[3 * n - 2]), tonumber(ARGV[3 * n - 1])
  local bytes = redis.call('GET', key) or ''
  local runs, used = {}, 0
  for at = 1, #bytes, 10 do
    local time, events = struct.unpack('>I6I4', bytes, at)
    -- The clock may have been set back.
    time = math.min(time, now)
    if now - time < memory then
      runs[#runs + 1] = {time, events}
      used = used + events
    end
  end
  local left, wait = used, 0
  for _, run in ipairs(runs) do
    left = left - run[2]
    wait = memory - (now - run[1])
    if left < max then break end
  end
  if used >= max then answer[1] = 0 end
  answer[2 * n], answer[2 * n + 1] = used, wait
  logs[n] = runs
end
if answer[1] == 1 then
  for n, key in ipairs(KEYS) do
    local memory, step = tonumber(ARGV[3 * n - 1]), tonumber(ARGV[3 * n])
    local runs, packed = logs[n], {}
    local last = runs[#runs]
    if last and now - last[1] < step then
      last[2] = last[2] + 1
    else
      runs[#runs + 1] = {now, 1}
    end
    for at, run in ipairs(runs) do
      packed[at] = struct.pack('>I6I4', run[1], run[2])
    end
    redis.call('SET', key, table.concat(packed), 'PX', memory)
    answer[2 * n] = answer[2 * n] + 1
    if answer[2 * n + 1] == 0 then answer[2 * n + 1] = memory end
  end
end
return answer

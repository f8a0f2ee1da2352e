-- Sends what the arguments say: method, path, a highest id, a seed, one header (`name: value`, or nothing), how many milliseconds a
-- connection waits before each request, and the bodies in turn.
-- {c} in the header is the number of the request up to 9999.
-- {n} in a body is a number that no other request of the run has; {id} in a path is a random number up to the third
-- argument, {next} the numbers from the third argument on.
local method, path, highest, seed, pause, bodies, counted
local count = 0
local headers = { ["content-type"] = "application/json" }
local ready = {}

function init(args)
  method, path, highest, seed = args[1], args[2], tonumber(args[3]), args[4]
  local name, value = args[5]:match("^([^:]+): (.*)$")
  if name then headers[name] = value end
  if name and value:find("{c}", 1, true) then counted = { name = name, value = value } end
  pause = tonumber(args[6])
  if pause > 0 then delay = function() return pause end end
  bodies = { unpack(args, 7) }
  math.randomseed(tonumber(seed))
  for index, body in ipairs(bodies) do
    local isFixed = not body:find("{n}", 1, true) and not path:find("{%a+}")
    if not counted and isFixed then ready[index] = wrk.format(method, path, headers, body) end
  end
end

function request()
  count = count + 1
  if counted then headers[counted.name] = counted.value:gsub("{c}", count % 10000) end
  local index = #bodies > 0 and count % #bodies + 1 or 0
  if ready[index] then return ready[index] end
  local address = path:gsub("{id}", function() return math.random(highest) end)
    :gsub("{next}", function() return string.format("%d", highest + count - 1) end)
  if #bodies == 0 then return wrk.format(method, address, headers) end
  return wrk.format(method, address, headers, (bodies[index]:gsub("{n}", seed .. "-" .. count)))
end

function done(summary, latency)
  local wrong = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"wrong":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    wrong.connect + wrong.read + wrong.write + wrong.status + wrong.timeout))
end

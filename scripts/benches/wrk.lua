-- Request generator for wrk: sends the requests of a file in turn. Five or more number signs in a request are replaced
-- by a counter of as many digits, which increases with every request.
local requests, asked, number = {}, 0, 0

local function parts(request)
  local from, to = request:find("#####+")
  if not from then return request end
  local digits = to - from + 1
  return { request:sub(1, from - 1), request:sub(to + 1), format = "%0" .. digits .. "d", most = 10 ^ digits }
end

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for request in file:read("*a"):gmatch("%Z+") do requests[#requests + 1] = parts(request) end
  file:close()
  number = tonumber(args[2])
end

function request()
  asked = asked % #requests + 1
  local one = requests[asked]
  if type(one) == "string" then return one end
  number = number + 1
  return one[1] .. string.format(one.format, number % one.most) .. one[2]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nFOUND {"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout
  ))
end
